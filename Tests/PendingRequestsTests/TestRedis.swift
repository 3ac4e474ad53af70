import Glibc
import SwitchyardCrypto
import SwitchyardReactor
import SwitchyardRedis
import SwitchyardRedisStore
import Synchronization
import TestSupport

/// Servers of Redis, in which each store has a prefix of its own, and the loops that use them.
final class TestRedis: Sendable {
    // For all tests of one run, which do the servers no harm.
    static let shared = Result { try TestRedis().kept() }
    static let sentinels = Task {
        let sentinels = try await RedisSentinels.start(patience: 30_000)
        return try TestRedis(sentinels.servers + sentinels.sentinels, sentinels.configuration).kept()
    }
    static let cluster = Task {
        let cluster = try await RedisCluster.start(patience: 30_000)
        return try TestRedis(cluster.nodes, cluster.configuration).kept()
    }

    private static let keys = KeyRing.ephemeral()

    /// An object that is kept for the whole run is never freed by itself.
    private static let kept = Mutex<[RedisServer]>([])

    private func kept() -> TestRedis {
        let isFirst = Self.kept.withLock { kept in
            defer { kept += servers }
            return kept.isEmpty
        }
        if isFirst { atexit { for server in TestRedis.kept.withLock({ $0 }) { server.end() } } }
        return self
    }

    /// The only one, or one of several.
    let server: RedisServer
    private let servers: [RedisServer]
    private let configuration: RedisDeploymentConfiguration
    private let group: EventLoopGroup
    private let stores = Atomic(0)

    convenience init() throws {
        let server = try RedisServer()
        try self.init([server], .single(server.address))
    }

    /// - Parameter servers: at least one.
    init(_ servers: [RedisServer], _ configuration: RedisDeploymentConfiguration, loops: Int = 2) throws {
        server = servers[0]
        self.servers = servers
        self.configuration = configuration
        group = try EventLoopGroup(count: loops)
        try group.start()
    }

    deinit { group.stop() }

    /// - Parameters:
    ///   - prefix: of another store, to share what it has; nil for an empty store.
    ///   - name: of the store's connections; nil for the usual one.
    ///   - keys: what signs its records; nil for those of every other store here.
    ///   - patience: of the store. All tests run at once, on a machine that may have better to do.
    func store(
        prefix: String? = nil, named name: String? = nil, keys: KeyRing? = nil, patience: Duration = .seconds(30),
        warn: @escaping @Sendable (String) -> Void = { _ in }
    ) -> RedisStore {
        var options = configuration.options
        options.name = name ?? options.name
        return RedisStore(
            RedisDeploymentConfiguration(configuration.servers, options), prefix: prefix ?? freshPrefix(),
            keys: keys ?? Self.keys, maximumRemembered: 100_000, on: group.loops, patience: patience, warn: warn)
    }

    /// An empty store that has found its servers. All tests begin at once, and many connections take
    /// longer than a store waits.
    func connectedStore() async -> RedisStore {
        let store = store()
        while (try? await store.letTimePass(to: .at(0))) == nil {}
        return store
    }

    func freshPrefix() -> String { "test\(stores.wrappingAdd(1, ordering: .relaxed).newValue):" }

    /// The server's answer to a command of its operator.
    @discardableResult
    func ask(_ arguments: String...) async throws -> RedisValue { try await ask(arguments, at: server) }

    private func ask(_ arguments: [String], at server: RedisServer) async throws -> RedisValue {
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

    /// The answer of the cluster's node that has the key, which is the first argument.
    func askOwner(_ arguments: String...) async throws {
        for server in servers {
            // Others say that it has moved.
            if (try? await ask(arguments, at: server)) != nil { return }
        }
        throw RedisError.notSent(reason: "no node has it")
    }

    func keys(_ prefix: String) async throws -> [String] {
        try await ask("KEYS", "\(prefix)*").array?.compactMap(\.text) ?? []
    }
}
