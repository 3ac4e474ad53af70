internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import Synchronization

/// Gives events of sign-ins to the store that keeps their histories, and looks histories up there. Safe from any
/// thread; call the waiting functions from tasks of event loops.
///
/// Once a second, so a crash loses a second of history, and a sign-in costs its store one small write a second at most.
/// While the store is out, the latest events wait here.
final class Timelines: Sendable {
    private struct State {
        /// Notes that the store did not take.
        var backlog: [TimelineNote] = []
        /// Entries since the last report that are lost, or will be if the process ends now.
        var atRisk = 0
        var reason = ""
        var nextTelling = Instant(nanoseconds: 0)
        /// The number of flushes that have begun, and the time at which one may begin again for a look-up.
        var flushes = 0
        var nextLook = Instant(nanoseconds: 0)
    }

    /// How many entries the store is given at once.
    private static let portion = 512
    /// How many entries wait for a store that is out: altogether, and of these of callbacks without a request.
    private static let (maximumBacklog, maximumUnasked) = (4096, 512)
    /// The shortest time between reports of lost histories.
    private static let interval = Duration.seconds(10)

    /// The longest time that look-ups wait to share one flush: frequent look-ups must not make the store write
    /// frequently (rules: limits everywhere).
    private static let leisure = Duration.milliseconds(200)

    let sink: TimelineSink
    private let registry: RequestRegistry
    private let events: EventReporter
    private let state = Mutex(State())
    /// One flush at a time.
    private let queue = SerialQueue()

    init(_ registry: RequestRegistry, _ events: EventReporter, _ sink: TimelineSink) {
        self.registry = registry
        self.events = events
        self.sink = sink
    }

    /// Gives the store the notes collected until now. When this comes back the store has it, if it takes anything.
    func flush() async {
        await queue.run { await flushNow() }
    }

    /// Only from within the queue.
    private func flushNow() async {
        state.withLock { state in
            state.flushes += 1
            state.nextLook = .now() + Self.leisure
        }
        var taken = sink.take()
        var notes = state.withLock { state in
            defer { state.backlog = [] }
            return state.backlog
        }
        var waiting: [TimelineNote] = []
        var takesAny = true
        var atRisk = taken.lost
        var reason = taken.lost > 0 ? "more happens in a second than histories are kept of" : nil
        while !notes.isEmpty || !taken.isEmpty {
            let fresh = taken.next(Self.portion)
            notes += fresh
            // Not all at once: others on this loop wait meanwhile.
            if takesAny, let shortfall = await registry.addToTimelines(notes) {
                reason = shortfall.reason.description
                // All notes are in memory, and the earlier shortfall was reported.
                let untaken = shortfall.waiting.count + shortfall.lost
                atRisk += untaken == 0 ? fresh.count : min(fresh.count, untaken)
                waiting += shortfall.waiting
                takesAny = shortfall.waiting.count < notes.count
            } else if !takesAny {
                atRisk += fresh.count
                waiting += notes
            }
            notes = []
            if !taken.isEmpty { await EventLoop.sleep(until: .now()) }
        }
        guard reason != nil || state.withLock({ $0.atRisk > 0 }) else { return }
        let told = state.withLock { state -> (Int, String)? in
            state.backlog = Self.latest(of: waiting)
            state.atRisk += atRisk
            if let reason { state.reason = reason }
            let now = Instant.now()
            guard state.atRisk > 0, now >= state.nextTelling else { return nil }
            state.nextTelling = now + Self.interval
            defer { state.atRisk = 0 }
            return (state.atRisk, state.reason)
        }
        if let (entries, reason) = told { events.report(.gateway(.historyFailed(entries: entries, reason: reason))) }
    }

    /// The notes that wait while the store is out: the latest of requests, and some of other callbacks (rules: a flood
    /// shuts nobody out).
    static func latest(of notes: [TimelineNote]) -> [TimelineNote] {
        guard notes.count > maximumUnasked else { return notes }
        let unasked = notes.filter { $0.room == .unasked }.suffix(maximumUnasked)
        return unasked + notes.filter { $0.room != .unasked }.suffix(maximumBacklog - unasked.count)
    }

    /// The history of a sign-in, including the latest events; nil without one.
    func timeline(of reference: Reference) async throws(StoreError) -> Timeline? {
        let (seen, next) = state.withLock { ($0.flushes, $0.nextLook) }
        await EventLoop.sleep(until: next)
        let waiting = await waiting(of: reference, since: seen)
        do throws(StoreError) {
            return try await registry.timeline(of: reference)?.with(waiting) ?? Timeline(waiting)
        } catch {
            // Events during the outage are known nevertheless.
            guard let timeline = Timeline(waiting) else { throw error }
            return timeline
        }
    }

    /// The waiting notes of a sign-in, once the store was given all earlier ones.
    /// - Parameter seen: the number of flushes that had begun; one that began since is enough.
    private func waiting(of reference: Reference, since seen: Int) async -> [TimelineNote] {
        // The look-up queues: the next flush takes the waiting notes along, and until its end their place is unknown.
        await queue.run {
            if state.withLock({ $0.flushes == seen }) { await flushNow() }
            return state.withLock { $0.backlog.filter { $0.reference == reference } }
        }
    }
}
