internal import SwitchyardReactor
internal import Synchronization

/// Runs tasks one after the other, in the order in which they came, even if a task waits in the middle. Safe from any
/// thread.
final class Turns: Sendable {
    private struct State {
        var isTaken = false
        var waiting: [Signal] = []
    }

    private let state = Mutex(State())

    /// Does something once it is its turn. Only from a task of an event loop, and never within `body` of the same turns.
    func take<Value, Failure: Error>(
        _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let ticket: Signal? = state.withLock { state in
            guard state.isTaken else {
                state.isTaken = true
                return nil
            }
            let ticket = Signal()
            state.waiting.append(ticket)
            return ticket
        }
        if let ticket { _ = await ticket.wait() }
        defer { pass() }
        return try await body()
    }

    /// Gives the turn to the next task, without a gap.
    private func pass() {
        let next: Signal? = state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isTaken = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.raise()
    }
}
