internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardText
internal import Synchronization

/// Collects the events of sign-ins for their histories. On the path of a request this costs an entry in a list with an
/// almost free lock.
final class TimelineSink: EventSink {
    /// An event, when it happened, and when it was reported, in nanoseconds. So the order is known of events that two
    /// loops report in one millisecond.
    fileprivate typealias Told = (event: GatewayEvent, happened: Timestamp, at: Int64)

    private struct Collected {
        /// The events of requests, for which an app waits.
        var events: [Told] = []
        /// The events of refused callbacks without a request.
        var unasked: [Told] = []
        var lost = 0
    }

    /// The events of one interval.
    struct Taken {
        /// The events of each loop, in the order of their arrival.
        fileprivate var events: [ArraySlice<Told>] = []
        fileprivate var unasked: [ArraySlice<Told>] = []
        /// The number of further reports that were lost.
        fileprivate(set) var lost = 0

        var isEmpty: Bool { events.isEmpty && unasked.isEmpty }

        /// Takes the next notes, those of requests first; the list is empty at the end. The notes of all loops come in
        /// the order of their events, so a history that has a sign-in's end also has the steps before it.
        mutating func next(_ count: Int) -> [TimelineNote] {
            events.isEmpty ? Self.next(count, of: &unasked) : Self.next(count, of: &events)
        }

        private static func next(_ count: Int, of lists: inout [ArraySlice<Told>]) -> [TimelineNote] {
            var notes: [TimelineNote] = []
            for _ in 0..<count {
                // Each list has at least one event.
                guard let list = lists.indices.min(by: { lists[$0].first?.at ?? 0 < lists[$1].first?.at ?? 0 }) else {
                    break
                }
                let (event, happened, _) = lists[list].removeFirst()
                if lists[list].isEmpty { lists.remove(at: list) }
                if let note = event.timelineNote(at: happened) { notes.append(note) }
            }
            return notes
        }
    }

    /// A mutex cannot stand in an array by itself.
    private final class List: Sendable {
        let collected = Mutex(Collected())
    }

    /// More than this many between two flushes are lost, of one loop: of events of requests, and of others.
    private static let (maximum, maximumUnasked) = (8192, 1024)

    private let quota = UnaskedQuota()
    /// One for each loop, so that loops on different cores do not meet.
    private let lists = (0..<64).map { _ in List() }

    var wantsDispatches: Bool { false }

    func receive(_ event: GatewayEvent) { receive(event, in: nil, at: nil) }

    func receive(_ event: GatewayEvent, in trace: TraceContext?, at time: Timestamp?) {
        guard event.timelineReference != nil else { return }
        let unasked = event.unasked
        if let unasked, !quota.admits(unasked, at: .now()) { return }
        // Accepted callbacks are listed with the results of their handlers.
        let isRefusal = unasked.map { $0.outcome != .accepted } ?? false
        let now = WallTime.now().nanoseconds
        let present = Timestamp(milliseconds: now / 1_000_000)
        let happened = min(time ?? present, present)
        lists[(EventLoop.current?.index ?? 0) % lists.count].collected.withLock { collected in
            if isRefusal, collected.unasked.count < Self.maximumUnasked {
                collected.unasked.append((event, happened, now))
            } else if !isRefusal, collected.events.count < Self.maximum {
                collected.events.append((event, happened, now))
            } else {
                collected.lost += 1
            }
        }
    }

    /// Takes the events since the last call.
    func take() -> Taken {
        var taken = Taken()
        for list in lists {
            let collected = list.collected.withLock { collected in
                defer { collected = Collected() }
                return collected
            }
            if !collected.events.isEmpty { taken.events.append(collected.events[...]) }
            if !collected.unasked.isEmpty { taken.unasked.append(collected.unasked[...]) }
            taken.lost += collected.lost
        }
        return taken
    }
}

/// Limits the callbacks without a request that get a history. Without a limit, each request of a stranger would be a
/// history, and a write to the store (rules: limits everywhere). The log has a limit of its own. Safe from any thread.
private final class UnaskedQuota: Sendable {
    /// A network may catch up after a quiet interval, so that a person who tries things out finds each of them.
    private let byCaller = RateLimiter(rate: 5, capacity: 50)
    /// Each outcome has its own, so that a flood of one kind leaves room for the others. From a flood of all networks a
    /// sample is kept, so slowly that a person can read an entry before it is pushed out.
    private let byOutcome = Dictionary(
        uniqueKeysWithValues: CallbackOutcome.allCases.map { ($0, RateLimiter(rate: 5, capacity: 100)) })

    func admits(_ report: CallbackReport, at now: Instant) -> Bool {
        byCaller.take(report.caller.key.network, at: now) == nil
            && byOutcome[report.outcome]?.take(.user(0), at: now) == nil
    }
}

extension GatewayEvent {
    /// The report on a callback without a request; nil for any other event.
    fileprivate var unasked: CallbackReport? {
        guard case .callback(let report) = self, !report.isOfRequest else { return nil }
        return report
    }
}
