internal import SwitchyardReactor
internal import Synchronization

/// Runs asynchronous work to its end, on an event loop of the calling thread.
func runToEnd<Value: Sendable>(_ body: @escaping @Sendable () async throws -> Value) throws -> Value {
    let loop = try EventLoop()
    let outcome = Outcome<Value>()
    loop.start {
        do {
            outcome.set(.success(try await body()))
        } catch {
            outcome.set(.failure(error))
        }
        loop.stop()
    }
    loop.run()
    return try outcome.get()
}

private final class Outcome<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)

    func set(_ value: Result<Value, any Error>) {
        result.withLock { $0 = value }
    }

    func get() throws -> Value {
        guard let result = result.withLock({ $0 }) else { preconditionFailure("the loop ended before its work") }
        return try result.get()
    }
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
