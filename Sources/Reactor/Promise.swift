internal import Synchronization

/// A value that one task brings, once, and any number of tasks wait for. Safe from any thread.
public final class Promise<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiting: [(number: Int, tell: @Sendable (Value) -> Void)] = []
        var lastNumber = 0
    }

    private let state = Mutex(State())

    public init() {}

    /// The value, if it has come.
    public var current: Value? { state.withLock(\.value) }

    /// - Returns: false when there was a value already; the first value stays.
    @discardableResult
    public func fulfil(_ value: Value) -> Bool {
        let waiting: [(number: Int, tell: @Sendable (Value) -> Void)]? = state.withLock { state in
            guard state.value == nil else { return nil }
            state.value = value
            defer { state.waiting = [] }
            return state.waiting
        }
        guard let waiting else { return false }
        for one in waiting { one.tell(value) }
        return true
    }

    /// Calls `tell` once there is a value, which may be now. If the promise is never kept, `tell` is dropped with it.
    public func whenFulfilled(_ tell: @escaping @Sendable (Value) -> Void) {
        _ = park(tell)
    }

    /// Waits for the value, as long as it takes.
    public var value: Value {
        get async {
            await suspend { (waiter: Waiter<Value>) in whenFulfilled { waiter.resume(returning: $0) } }
        }
    }

    /// Waits for the value, at most until `deadline`. Only from a task of an event loop.
    /// - Returns: nil at the deadline.
    public func value(until deadline: Instant) async -> Value? {
        guard let loop = EventLoop.current else { preconditionFailure("only from a task of an event loop") }
        var timer: Timer?
        let value = await suspend { (waiter: Waiter<Value?>) in
            guard let number = park({ waiter.resume(returning: $0) }), deadline != .never else { return }
            timer = loop.schedule(at: deadline) { [self] in
                if leave(number) { waiter.resume(returning: nil) }
            }
        }
        timer?.cancel()
        return value
    }

    /// - Returns: a number for ``leave(_:)``; nil when `tell` was called at once.
    private func park(_ tell: @escaping @Sendable (Value) -> Void) -> Int? {
        let (value, number) = state.withLock { state -> (Value?, Int) in
            guard state.value == nil else { return (state.value, 0) }
            state.lastNumber += 1
            state.waiting.append((state.lastNumber, tell))
            return (nil, state.lastNumber)
        }
        guard let value else { return number }
        tell(value)
        return nil
    }

    /// - Returns: whether the value had not come, so it is not told.
    private func leave(_ number: Int) -> Bool {
        state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0.number == number }) else { return false }
            state.waiting.remove(at: index)
            return true
        }
    }
}
