internal import SwitchyardConfiguration
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRouting
internal import Synchronization

/// The counters of one loop, so that counting never waits for another core.
///
/// Why `@unchecked Sendable`: `counters` are touched on the loop's thread only.
final class LoopCounters: @unchecked Sendable {
    let loop: EventLoop
    private var ownCounters: EventCounters
    /// Browsers that were sent on and are not in `ownCounters` yet, by the app's number; nil for an app before its
    /// first.
    private var dispatches: [Tally?]

    init(_ loop: EventLoop, _ names: MetricNames) {
        self.loop = loop
        ownCounters = EventCounters(names)
        dispatches = Array(repeating: nil, count: names.apps.presentCount)
    }

    var counters: EventCounters {
        takeDispatches()
        return ownCounters
    }

    func count(_ body: (inout EventCounters) -> Void) { body(&ownCounters) }

    /// Counts a browser that was sent on to an app, by the app's number in the present configuration: do not wait
    /// between finding the app and this call. Costs hardly more than an addition.
    func dispatched(app number: Int) {
        guard let tally = dispatches[number] else { return addTally(for: number) }
        tally.add()
    }

    /// Counts a browser that was sent on to an app of this configuration or of one before it.
    func dispatched(app: AppID) { ownCounters.dispatched(1, app: ownCounters.names.number(of: app)) }

    /// From now on counts by the names of another configuration.
    func adopt(_ names: MetricNames) {
        takeDispatches()
        ownCounters.adopt(names)
        dispatches = Array(repeating: nil, count: names.apps.presentCount)
    }

    private func addTally(for number: Int) {
        let tally = Tally()
        tally.add()
        dispatches[number] = tally
    }

    private func takeDispatches() {
        for (number, tally) in dispatches.enumerated() {
            if let count = tally?.take(), count > 0 { ownCounters.dispatched(count, app: number) }
        }
    }
}

/// Counts events: for each loop by itself, and added up for a reader. Safe from any thread.
final class Metrics: EventSink {
    /// One for each loop, by its number.
    let loops: [LoopCounters]
    /// Counts from other threads.
    private let elsewhere: Mutex<EventCounters>
    private let names: Mutex<MetricNames>

    init(_ configuration: Configuration, _ loops: [EventLoop]) {
        let names = MetricNames(configuration)
        self.loops = loops.map { LoopCounters($0, names) }
        elsewhere = Mutex(EventCounters(names))
        self.names = Mutex(names)
    }

    /// A good redirect is counted by its loop, without an event.
    var wantsDispatches: Bool { false }

    func receive(_ event: GatewayEvent) { count { $0.count(event) } }

    func took(_ duration: Duration, for operation: StoreOperation) { count { $0.took(duration, for: operation) } }

    private func count(_ body: (inout EventCounters) -> Void) {
        if let loop = EventLoop.current, loop.index < loops.count, loops[loop.index].loop === loop {
            loops[loop.index].count(body)
        } else {
            elsewhere.withLock { body(&$0) }
        }
    }

    /// The names of a new configuration. Each loop must get them by ``LoopCounters/adopt(_:)`` together with the
    /// configuration itself, because its apps have other numbers.
    func adopt(_ configuration: Configuration) -> MetricNames {
        let names = names.withLock { names in
            names = MetricNames(configuration, after: names)
            return names
        }
        elsewhere.withLock { $0.adopt(names) }
        return names
    }

    /// All that was counted. Only from a task of a loop, of any group.
    func counters() async -> EventCounters {
        let names = names.withLock(\.self)
        let loops = loops
        var sum = EventCounters(names)
        let ofLoops = await loops.map(\.loop).collect { loops[$0.index].counters }
        for var counters in ofLoops + [elsewhere.withLock(\.self)] {
            // A loop that a reload has not reached yet has other numbers.
            counters.adopt(names)
            sum.add(counters)
        }
        return sum
    }
}
