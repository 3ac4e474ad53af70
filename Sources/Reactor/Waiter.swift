/// A task that waits for a value; it is resumed exactly once.
///
/// An unchecked continuation, because a checked one costs an allocation on the hot path: each place that keeps one
/// takes it out before resuming it, which is what makes this safe.
@safe struct Waiter<Value: Sendable>: Sendable {
    private let continuation: UnsafeContinuation<Value, Never>

    fileprivate init(_ continuation: UnsafeContinuation<Value, Never>) {
        unsafe self.continuation = unsafe continuation
    }

    func resume(returning value: Value) {
        unsafe continuation.resume(returning: value)
    }
}

/// Suspends the task and gives `park` the handle that wakes it.
@inline(__always)
func suspend<Value: Sendable>(_ park: (Waiter<Value>) -> Void) async -> Value {
    await unsafe withUnsafeContinuation { continuation in
        unsafe park(Waiter(continuation))
    }
}
