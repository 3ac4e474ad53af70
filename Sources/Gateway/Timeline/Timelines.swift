internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import Synchronization

/// Hands what happens in sign-ins to the store that keeps their histories, and looks them up there. Safe from any thread; what
/// waits is called from tasks of event loops.
///
/// Once a second, so a crash loses a second of history, and a sign-in costs its store one small write a second at the most.
/// While the store takes nothing, the latest of it waits here.
final class Timelines: Sendable {
    private struct State {
        /// Those who wait for their turn; nil while nobody has it.
        var waiting: [Signal]?
        /// What the store did not take.
        var backlog: [TimelineNote] = []
        /// Entries that are lost, or will be if the process ends now, since it was last told.
        var atRisk = 0
        var reason = ""
        var nextTelling = Instant(nanoseconds: 0)
    }

    /// How many entries the store is given at once.
    private static let portion = 512
    /// How many entries wait for a store that is out: altogether, and of these of callbacks without a request.
    private static let (maximumBacklog, maximumUnasked) = (4096, 512)
    /// How often it is told, at the most, that histories are not kept.
    private static let interval = Duration.seconds(10)

    let sink: TimelineSink
    private let registry: RequestRegistry
    private let events: GatewayEvents
    private let state = Mutex(State())

    init(_ registry: RequestRegistry, _ events: GatewayEvents, _ sink: TimelineSink) {
        self.registry = registry
        self.events = events
        self.sink = sink
    }

    /// Hands over what was collected until now. When this comes back the store has it, if it takes anything.
    func flush() async {
        await takeTurn()
        defer { endTurn() }
        var taken = sink.take()
        var notes = state.withLock { state in
            defer { state.backlog = [] }
            return state.backlog
        }
        var isKept = true
        var trouble: StoreFailure?
        var atRisk = taken.lost
        while !notes.isEmpty || !taken.isEmpty {
            // Not all at once: others on this loop wait meanwhile.
            let fresh = taken.next(Self.portion)
            notes += fresh
            if isKept {
                do throws(StoreFailure) {
                    trouble = try await registry.addToTimelines(notes)
                    notes = []
                } catch {
                    (isKept, trouble) = (false, error)
                }
                if !taken.isEmpty { await EventLoop.sleep(until: .now()) }
            }
            if trouble != nil { atRisk += fresh.count }
            if !isKept, taken.isEmpty { break }
        }
        guard trouble != nil || atRisk > 0 || state.withLock({ $0.atRisk > 0 }) else { return }
        let told = state.withLock { state -> (Int, String)? in
            state.backlog = Self.latest(of: notes)
            state.atRisk += atRisk
            if let trouble { state.reason = trouble.description }
            if taken.lost > 0 { state.reason = "more happens in a second than histories are kept of" }
            let now = Instant.now()
            guard state.atRisk > 0, now >= state.nextTelling else { return nil }
            state.nextTelling = now + Self.interval
            defer { state.atRisk = 0 }
            return (state.atRisk, state.reason)
        }
        if let (entries, reason) = told { events.tell(.gateway(.historyFailed(entries: entries, reason: reason))) }
    }

    /// What waits for a store that is out. What belongs to no request gives way first, whenever it came (rules: a flood shuts
    /// nobody out).
    static func latest(of notes: [TimelineNote]) -> [TimelineNote] {
        guard notes.count > maximumUnasked else { return notes }
        let unasked = notes.filter(\.share.isUnasked).suffix(maximumUnasked)
        return unasked + notes.filter { !$0.share.isUnasked }.suffix(maximumBacklog - unasked.count)
    }

    /// What is known of a sign-in, what happened just now included; nil when nothing is.
    func timeline(of reference: Reference) async throws(StoreFailure) -> Timeline? {
        await flush()
        let waiting = state.withLock { $0.backlog.filter { $0.reference == reference } }
        do throws(StoreFailure) {
            return try await registry.timeline(of: reference)?.with(waiting) ?? Timeline(waiting)
        } catch {
            // What happened while the store is out is known all the same.
            guard let timeline = Timeline(waiting) else { throw error }
            return timeline
        }
    }

    // MARK: One after the other

    private func takeTurn() async {
        while true {
            let signal = state.withLock { state -> Signal? in
                guard state.waiting != nil else {
                    state.waiting = []
                    return nil
                }
                let signal = Signal()
                state.waiting?.append(signal)
                return signal
            }
            guard let signal else { return }
            _ = await signal.wait(until: .now() + .seconds(5))
        }
    }

    private func endTurn() {
        let waiting = state.withLock { state in
            defer { state.waiting = nil }
            return state.waiting ?? []
        }
        for signal in waiting { signal.raise() }
    }
}
