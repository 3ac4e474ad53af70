/// Runs asynchronous work to its end, on an event loop of the calling thread.
package func runToEnd<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
    let loop = try EventLoop()
    let outcome = Promise<Result<Value, any Error>>()
    loop.start {
        do {
            outcome.fulfil(.success(try await body()))
        } catch {
            outcome.fulfil(.failure(error))
        }
        loop.stop()
    }
    loop.run()
    guard let outcome = outcome.current else { preconditionFailure("the loop ended before its work") }
    return try outcome.get()
}

extension EventLoop {
    /// The loop of the task that asks.
    package static var required: EventLoop {
        guard let loop = current else { preconditionFailure("only from a task of an event loop") }
        return loop
    }
}
