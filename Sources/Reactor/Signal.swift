internal import Synchronization

/// A signal that one task or call waits for. Any thread may raise it, also before the wait begins.
public final class Signal: Sendable {
    private struct State {
        var isRaised = false
        var waiting: Waiting?
    }

    private enum Waiting {
        case task(Waiter<Bool>)
        case call(@Sendable () -> Void)
    }

    private let state = Mutex(State())

    public init() {}

    /// Wakes the task that waits, or the next one that would. Callable from any thread.
    public func raise() {
        finish(raised: true)
    }

    /// Waits for ``raise()``, at most until `deadline`. One wait at a time; the signal is down again afterwards.
    /// Only from a task of an event loop.
    /// - Returns: whether the signal was raised; false at the deadline.
    public func wait(until deadline: Instant = .never) async -> Bool {
        let timer: Timer? =
            deadline == .never ? nil : EventLoop.current?.schedule(at: deadline) { [self] in finish(raised: false) }
        defer { timer?.cancel() }
        return await suspend { waiter in
            if park(.task(waiter)) { waiter.resume(returning: true) }
        }
    }

    /// Calls `tell` once, now if the signal is up, else at the next ``raise()``, on the thread that raises. For code
    /// that waits without a task. One wait at a time; the signal is down again afterwards.
    public func whenRaised(_ tell: @escaping @Sendable () -> Void) {
        if park(.call(tell)) { tell() }
    }

    /// - Returns: whether the signal is up, so the caller need not wait.
    private func park(_ waiting: Waiting) -> Bool {
        state.withLock { state in
            if state.isRaised {
                state.isRaised = false
                return true
            }
            assert(state.waiting == nil, "one wait at a time: the other would never end")
            state.waiting = waiting
            return false
        }
    }

    private func finish(raised: Bool) {
        let waiting = state.withLock { state -> Waiting? in
            let waiting = state.waiting
            state.waiting = nil
            if waiting == nil, raised { state.isRaised = true }
            return waiting
        }
        switch waiting {
        case .task(let waiter): waiter.resume(returning: raised)
        case .call(let tell): tell()
        case nil: break
        }
    }
}
