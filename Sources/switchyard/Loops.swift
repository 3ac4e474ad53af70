internal import SwitchyardReactor

/// Runs asynchronous work to its end, on an event loop of the calling thread.
func runToEnd<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
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

/// Work that blocks, on a loop of its own.
enum Background {
    private static let loop: EventLoop? = {
        guard let group = try? EventLoopGroup(count: 1), (try? group.start()) != nil else { return nil }
        return group.loops[0]
    }()

    static func run<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        guard let loop else { return body() }
        return await loop.perform { body() }
    }
}

extension EventLoop {
    /// The loop of the task that asks.
    static var required: EventLoop {
        guard let loop = current else { preconditionFailure("only from a task of an event loop") }
        return loop
    }
}
