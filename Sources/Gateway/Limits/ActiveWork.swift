internal import SwitchyardReactor
internal import Synchronization

/// Counts work behind the requests, so that a stopping gateway can wait for it. Safe from any thread.
final class ActiveWork: Sendable {
    private struct State {
        var count = 0
        var waiters: [Signal] = []
    }

    private let state = Mutex(State())

    /// Counts `work` until it returns or throws.
    /// - Parameter slot: the caller's slot among the waiting apps; it stays taken meanwhile.
    func during<Value: Sendable, Failure: Error>(
        holding slot: WaitingCounter.Slot? = nil, _ work: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        begin()
        defer {
            end()
            withExtendedLifetime(slot) {}
        }
        return try await work()
    }

    /// Starts a task on `loop`, and counts it from now on until its end.
    func start(on loop: EventLoop, _ work: @escaping @Sendable () async -> Void) {
        begin()
        loop.start {
            await work()
            self.end()
        }
    }

    /// How many are going on.
    var count: Int { state.withLock(\.count) }

    /// Counts one more. A missed ``end()`` holds up every stop, so prefer ``during(holding:_:)``.
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
