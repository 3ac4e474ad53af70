internal import Synchronization

/// One task waits, anybody wakes it: from any thread, and also before the wait begins.
public final class Signal: Sendable {
    private struct State {
        var isRaised = false
        var waiter: Waiter<Bool>?
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
            let isRaised = state.withLock { state in
                if state.isRaised {
                    state.isRaised = false
                    return true
                }
                state.waiter = waiter
                return false
            }
            if isRaised { waiter.resume(returning: true) }
        }
    }

    private func finish(raised: Bool) {
        let waiter = state.withLock { state -> Waiter<Bool>? in
            let waiter = state.waiter
            state.waiter = nil
            if waiter == nil, raised { state.isRaised = true }
            return waiter
        }
        waiter?.resume(returning: raised)
    }
}
