internal import Synchronization

/// A value that one task waits for and another one brings, once. Safe from any thread.
final class Promise<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var waiting: [@Sendable (Value) -> Void] = []
    }

    private let state = Mutex(State())

    /// - Returns: false when there was a value already; the first value stays.
    @discardableResult
    func fulfil(_ value: Value) -> Bool {
        let waiting: [@Sendable (Value) -> Void]? = state.withLock { state in
            guard state.value == nil else { return nil }
            state.value = value
            defer { state.waiting = [] }
            return state.waiting
        }
        guard let waiting else { return false }
        for tell in waiting { tell(value) }
        return true
    }

    /// Calls `tell` once there is a value, which may be now. If the promise is never kept, `tell` is dropped with it.
    func whenFulfilled(_ tell: @escaping @Sendable (Value) -> Void) {
        let value = state.withLock { state in
            if state.value == nil { state.waiting.append(tell) }
            return state.value
        }
        if let value { tell(value) }
    }

    var value: Value {
        get async {
            await withCheckedContinuation { continuation in
                whenFulfilled { continuation.resume(returning: $0) }
            }
        }
    }
}
