import Glibc
import SwitchyardReactor
import SwitchyardRedis
import SwitchyardRedisStore
import Synchronization
import TestSupport

/// A server of Redis, in which each store has a prefix of its own, and the loops that use it.
final class TestRedis: Sendable {
    /// For all tests of one run that do the server no harm.
    static let shared: Result<TestRedis, any Error> = Result {
        // What is kept for the whole run is never let go.
        defer { atexit { TestRedis.endShared() } }
        return try TestRedis()
    }

    private static func endShared() { try? shared.get().server.signal(SIGKILL) }

    let server: RedisServer
    private let group: EventLoopGroup
    private let stores = Atomic(0)

    init() throws {
        server = try RedisServer()
        group = try EventLoopGroup(count: 2)
        group.start()
    }

    deinit { group.stop() }

    /// - Parameter prefix: of another store, to share what it has; nil for an empty store.
    func store(prefix: String? = nil, warn: @escaping @Sendable (String) -> Void = { _ in }) -> RedisStore {
        RedisStore(
            .single(server.address), prefix: prefix ?? freshPrefix(), maximumRemembered: 100_000, on: group.loops,
            warn: warn)
    }

    func freshPrefix() -> String { "test\(stores.wrappingAdd(1, ordering: .relaxed).newValue):" }

    /// What the server answers to a command of whoever runs it.
    @discardableResult
    func ask(_ arguments: String...) async throws -> RedisValue {
        let loop = group.loops[0]
        let command = RedisCommand(arguments.map { Array($0.utf8) })
        return try await withCheckedContinuation { continuation in
            loop.start { [address = server.address] in
                do throws(RedisError) {
                    let connection = try await RedisConnection.connect(to: address, RedisOptions(), on: loop)
                    let answer = try await connection.send(command, until: .now() + .seconds(10))
                    connection.close()
                    continuation.resume(returning: Result<RedisValue, RedisError>.success(answer))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }.get()
    }

    func keys(_ prefix: String) async throws -> [String] {
        try await ask("KEYS", "\(prefix)*").array?.compactMap(\.text) ?? []
    }
}
