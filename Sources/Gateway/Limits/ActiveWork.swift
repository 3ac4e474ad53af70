internal import SwitchyardReactor
internal import Synchronization

/// Counts work behind the requests, so that a stopping gateway can wait for it. Safe from any thread.
final class ActiveWork: Sendable {
    private struct State {
        var count = 0
        var waiters: [Signal] = []
    }

    private let state = Mutex(State())

    /// How many are going on.
    var count: Int { state.withLock(\.count) }

    func begin() {
        state.withLock { $0.count += 1 }
    }

    func end() {
        let waiters: [Signal] = state.withLock { state in
            state.count -= 1
            return state.count == 0 ? state.waiters : []
        }
        for waiter in waiters { waiter.raise() }
    }

    /// Returns once no work is going on, or at `deadline`. Only from a task of an event loop.
    func waitUntilIdle(_ deadline: Instant) async {
        let signal = Signal()
        let isIdle = state.withLock { state in
            if state.count > 0 { state.waiters.append(signal) }
            return state.count == 0
        }
        if !isIdle { _ = await signal.wait(until: deadline) }
    }
}
