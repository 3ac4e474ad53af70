internal import SwitchyardReactor

/// Waiting that ends: by the value, by the deadline, or by the app's canceling of the task.
enum Deadline {
    private enum Event<Value: Sendable>: Sendable {
        case value(Value)
        case passed
        case canceled
    }

    /// Only from a task of an event loop.
    static func value<Value: Sendable>(
        of promise: Promise<Value>, before deadline: Instant
    ) async throws(AuthenticationError) -> Value {
        guard let loop = EventLoop.current else { preconditionFailure("only from a task of an event loop") }
        let first = Promise<Event<Value>>()
        let timer = loop.schedule(at: deadline) { first.fulfil(.passed) }
        defer { timer.cancel() }
        promise.whenFulfilled { first.fulfil(.value($0)) }
        let event = await withTaskCancellationHandler {
            await first.value
        } onCancel: {
            first.fulfil(.canceled)
        }
        switch event {
        case .value(let value): return value
        case .passed: throw AuthenticationError(.timedOut, .responseNotReceived, "no callback came in time")
        case .canceled: throw .canceled
        }
    }
}

extension AuthenticationError {
    /// The app canceled the task that asked for tokens.
    static let canceled = AuthenticationError(.userCanceled, .sessionCanceled, "the app canceled the request")
}
