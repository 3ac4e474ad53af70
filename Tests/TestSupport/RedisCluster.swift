import Glibc
public import SwitchyardRedis

/// A cluster of three primaries with a replica each.
public final class RedisCluster: Sendable {
    /// The primaries of the beginning, by their slots, and then their replicas in the same order.
    public let nodes: [RedisServer]
    public let operators: RedisOperator

    public var configuration: RedisDeploymentConfiguration { .cluster(nodes.map(\.address)) }

    private static let slots = [0...5460, 5461...10922, 10923...16383]

    /// - Parameter patience: after how many milliseconds of silence a node is down. A busy machine is
    ///   silent for a moment, too.
    public static func start(patience: Int) async throws -> RedisCluster {
        let cluster = try RedisCluster(patience)
        try await cluster.join()
        return cluster
    }

    private init(_ patience: Int) throws {
        operators = try RedisOperator()
        nodes = try (0..<6).map { _ in
            try RedisServer(
                isClusterNode: true,
                [
                    "--cluster-node-timeout", "\(patience)", "--cluster-replica-validity-factor", "0",
                    "--repl-diskless-sync-delay", "0", "--repl-ping-replica-period", "1",
                ])
        }
    }

    private func join() async throws {
        for node in nodes { try await operators.wait(for: node.address, ["PING"]) { _ in true } }
        var ids: [String] = []
        for (index, node) in nodes.enumerated() {
            ids.append(try await operators.ask(node.address, ["CLUSTER", "MYID"]).text ?? "")
            try await operators.ask(node.address, ["CLUSTER", "SET-CONFIG-EPOCH", "\(index + 1)"])
            guard index < 3 else { continue }
            let slots = Self.slots[index]
            try await operators.ask(
                node.address, ["CLUSTER", "ADDSLOTSRANGE", "\(slots.lowerBound)", "\(slots.upperBound)"])
        }
        for node in nodes.dropFirst() {
            let bus = try await operators.ask(node.address, ["CONFIG", "GET", "cluster-port"]).array?[1].text ?? ""
            try await operators.ask(
                nodes[0].address, ["CLUSTER", "MEET", "127.0.0.1", "\(node.address.port)", bus])
        }
        for index in 3..<6 {
            // Once it has heard of that one.
            try await operators.wait(for: nodes[index].address, ["CLUSTER", "REPLICATE", ids[index - 3]]) {
                $0 == .status("OK")
            }
        }
        for (index, node) in nodes.enumerated() {
            try await operators.wait(for: node.address, ["CLUSTER", "SLOTS"]) { answer in
                (answer.array ?? []).filter { $0.array?.count == 4 }.count == 3
            }
            try await operators.wait(for: node.address, ["CLUSTER", "INFO"]) { answer in
                answer.text?.contains("cluster_state:ok") ?? false
            }
            try await waitForReplica(of: nodes[index % 3].address)
        }
    }

    /// Waits until a node follows the primary, so that it can take its place.
    public func waitForReplica(of primary: RedisAddress) async throws {
        try await operators.wait(for: primary, ["INFO", "replication"]) { answer in
            answer.text?.contains(",state=online,") ?? false
        }
    }

    /// Waits until a node is a primary, and the cluster is whole.
    public func waitForPrimary(_ node: RedisAddress) async throws {
        try await operators.wait(for: node, ["ROLE"]) { $0.array?.first?.text == "master" }
        try await operators.wait(for: node, ["CLUSTER", "INFO"]) { $0.text?.contains("cluster_state:ok") ?? false }
    }

    /// How often a node has answered with an error that begins with `word`.
    public func errors(_ word: String, of node: RedisAddress) async throws -> Int {
        let text = try await operators.ask(node, ["INFO", "errorstats"]).text ?? ""
        guard let range = text.firstRange(of: "errorstat_\(word):count=") else { return 0 }
        return Int(text[range.upperBound...].prefix { $0.isNumber }) ?? 0
    }
}
