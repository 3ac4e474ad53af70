import Glibc
public import SwitchyardRedis

/// A primary and its replica, and three Sentinels that watch them.
public final class RedisSentinels: Sendable {
    public static let name = "main"

    /// The primary of the beginning, and its replica.
    public let servers: [RedisServer]
    public let sentinels: [RedisServer]
    public let operators: RedisOperator
    /// The proxy before the servers, and then the Sentinels; nil without a proxy.
    public let proxy: CuttingProxy?

    public var configuration: RedisDeploymentConfiguration {
        let addresses = proxy.map { Array($0.addresses[servers.count...]) } ?? sentinels.map(\.address)
        return .sentinel(name: Self.name, addresses: addresses)
    }

    /// - Parameter patience: after how many milliseconds of silence a server is down. A busy machine is
    ///   silent for a moment, too.
    public static func start(patience: Int) async throws -> RedisSentinels {
        let operators = try RedisOperator()
        let primary = try RedisServer(quick)
        let replica = try RedisServer(quick + ["--replicaof", "127.0.0.1", "\(primary.address.port)"])
        let sentinels = try sentinels(of: primary.address, patience)
        let group = RedisSentinels([primary, replica], sentinels, operators, nil)
        try await group.waitUntilReady()
        return group
    }

    /// All announced addresses are at ``proxy``, so Sentinels and replicas reach the servers through it.
    public static func startBehindProxy() async throws -> RedisSentinels {
        let operators = try RedisOperator()
        let servers = [try RedisServer(quick), try RedisServer(quick)]
        let before = try CuttingProxy(servers.map(\.address))
        for (server, address) in zip(servers, before.addresses) {
            try await operators.wait(
                for: server.address, ["CONFIG", "SET", "replica-announce-port", "\(address.port)"]
            ) { $0 == .status("OK") }
        }
        try await operators.ask(servers[1].address, ["REPLICAOF", before.address.host, "\(before.address.port)"])
        let sentinels = try sentinels(of: before.address, 30_000)
        try before.add(sentinels.map(\.address))
        let group = RedisSentinels(servers, sentinels, operators, before)
        try await group.waitUntilReady()
        return group
    }

    private static let quick = ["--repl-diskless-sync-delay", "0", "--repl-ping-replica-period", "1"]

    private init(
        _ servers: [RedisServer], _ sentinels: [RedisServer], _ operators: RedisOperator, _ proxy: CuttingProxy?
    ) {
        self.servers = servers
        self.sentinels = sentinels
        self.operators = operators
        self.proxy = proxy
    }

    private static func sentinels(of primary: RedisAddress, _ patience: Int) throws -> [RedisServer] {
        let folder = try LastingFolder.make()
        return try (0..<3).map { number in
            let file = "\(folder)/sentinel\(number).conf"
            let settings = """
                sentinel monitor \(name) 127.0.0.1 \(primary.port) 2
                sentinel down-after-milliseconds \(name) \(patience)
                sentinel failover-timeout \(name) 1500

                """
            try RedisServer.write(settings, to: file)
            return try RedisServer([file, "--sentinel"])
        }
    }

    /// All Sentinels have to know each other and the replica before they can agree on anything.
    private func waitUntilReady() async throws {
        for sentinel in sentinels {
            // They look around, and talk to each other, every few seconds otherwise.
            try await operators.wait(
                for: sentinel.address,
                ["SENTINEL", "DEBUG", "info-period", "500", "publish-period", "200", "ask-period", "200"]
            ) { $0 == .status("OK") }
        }
        for sentinel in sentinels {
            try await operators.wait(for: sentinel.address, ["SENTINEL", "MASTER", Self.name]) { answer in
                let fields = Self.fields(answer)
                return fields["num-slaves"] == "1" && fields["num-other-sentinels"] == "2"
                    && fields["flags"] == "master"
            }
        }
    }

    private static func fields(_ answer: RedisValue) -> [String: String] {
        let texts = answer.array?.map { $0.text ?? "" } ?? []
        return stride(from: 0, to: texts.count - 1, by: 2).reduce(into: [:]) { $0[texts[$1]] = texts[$1 + 1] }
    }

    /// The primary that the Sentinels name; nil while they do not agree.
    public func primary() async throws -> RedisAddress? {
        var named: Set<[String]> = []
        for sentinel in sentinels {
            let answer = try await operators.ask(
                sentinel.address, ["SENTINEL", "get-master-addr-by-name", Self.name])
            named.insert(answer.array?.map { $0.text ?? "" } ?? [])
        }
        guard named.count == 1, let parts = named.first, parts.count == 2, let port = UInt16(parts[1]) else {
            return nil
        }
        return RedisAddress(host: parts[0], port: port)
    }

    /// Waits until the Sentinels have agreed on another primary.
    public func waitForPrimary(otherThan old: RedisAddress) async throws -> RedisAddress {
        while true {
            if let primary = try await primary(), primary != old { return primary }
            await operators.pause()
        }
    }

    /// Waits until a server follows the primary, so that it can take its place.
    public func waitForReplica(of primary: RedisAddress) async throws {
        try await operators.wait(for: primary, ["INFO", "replication"]) { answer in
            answer.text?.contains(",state=online,") ?? false
        }
    }

    /// Has the Sentinels make the replica the primary.
    public func failOver() async throws {
        try await operators.wait(for: sentinels[0].address, ["SENTINEL", "FAILOVER", Self.name]) { $0 == .status("OK") }
    }
}
