import Glibc
public import SwitchyardRedis

/// A cluster of three primaries, with a replica each or without.
public final class RedisCluster: Sendable {
    /// The primaries of the beginning, by their slots, and then their replicas in the same order.
    public let nodes: [RedisServer]
    public let operators: RedisOperator
    /// The proxy before each node; nil without proxies.
    public let proxy: CuttingProxy?

    /// The addresses of the nodes, which they announce to each other.
    private var addresses: [RedisAddress] { proxy?.addresses ?? nodes.map(\.address) }

    public var configuration: RedisDeploymentConfiguration { .cluster(addresses) }

    private static let slots = [0...5460, 5461...10922, 10923...16383]

    /// - Parameter patience: after how many milliseconds of silence a node is down. A busy machine is
    ///   silent for a moment, too.
    public static func start(patience: Int) async throws -> RedisCluster {
        let cluster = try RedisCluster(6, patience, isBehindProxy: false)
        try await cluster.join()
        return cluster
    }

    /// Without replicas, and each node is known under the address that it has at ``proxy``: redirections and the
    /// topology lead through it.
    public static func startBehindProxy() async throws -> RedisCluster {
        let cluster = try RedisCluster(3, 30_000, isBehindProxy: true)
        try await cluster.join()
        return cluster
    }

    private init(_ count: Int, _ patience: Int, isBehindProxy: Bool) throws {
        operators = try RedisOperator()
        nodes = try (0..<count).map { _ in
            try RedisServer(
                isClusterNode: true,
                [
                    "--cluster-node-timeout", "\(patience)", "--cluster-replica-validity-factor", "0",
                    "--repl-diskless-sync-delay", "0", "--repl-ping-replica-period", "1",
                ])
        }
        proxy = isBehindProxy ? try CuttingProxy(nodes.map(\.address)) : nil
    }

    private func join() async throws {
        for node in nodes { try await operators.wait(for: node.address, ["PING"]) { _ in true } }
        if let proxy {
            for (node, address) in zip(nodes, proxy.addresses) {
                try await operators.ask(node.address, ["CONFIG", "SET", "cluster-announce-port", "\(address.port)"])
            }
        }
        var ids: [String] = []
        for (index, node) in nodes.enumerated() {
            ids.append(try await operators.ask(node.address, ["CLUSTER", "MYID"]).text ?? "")
            try await operators.ask(node.address, ["CLUSTER", "SET-CONFIG-EPOCH", "\(index + 1)"])
            guard index < 3 else { continue }
            let slots = Self.slots[index]
            try await operators.ask(
                node.address, ["CLUSTER", "ADDSLOTSRANGE", "\(slots.lowerBound)", "\(slots.upperBound)"])
        }
        for (node, address) in zip(nodes, addresses).dropFirst() {
            let bus = try await operators.ask(node.address, ["CONFIG", "GET", "cluster-port"]).array?[1].text ?? ""
            try await operators.ask(
                nodes[0].address, ["CLUSTER", "MEET", "127.0.0.1", "\(address.port)", bus])
        }
        for index in nodes.indices.dropFirst(3) {
            // Once it has heard of that one.
            try await operators.wait(for: nodes[index].address, ["CLUSTER", "REPLICATE", ids[index - 3]]) {
                $0 == .status("OK")
            }
        }
        let (hasReplicas, ports) = (nodes.count > 3, Set(addresses.map { Int64($0.port) }))
        for (index, node) in nodes.enumerated() {
            try await operators.wait(for: node.address, ["CLUSTER", "SLOTS"]) { answer in
                let ranges = (answer.array ?? []).compactMap(\.array).filter { $0.count == (hasReplicas ? 4 : 3) }
                return ranges.count == 3
                    && ranges.allSatisfy { $0[2...].allSatisfy { ports.contains($0.array?[1].integer ?? 0) } }
            }
            try await operators.wait(for: node.address, ["CLUSTER", "INFO"]) { answer in
                answer.text?.contains("cluster_state:ok") ?? false
            }
            if hasReplicas { try await waitForReplica(of: nodes[index % 3].address) }
        }
    }

    /// Moves a slot, with all that is in it, from one primary to another, as it is done while it is in use.
    /// - Parameters:
    ///   - source: which of ``nodes`` has it.
    ///   - target: and which one gets it.
    public func move(slot: Int, from source: Int, to target: Int) async throws {
        let (from, to) = (nodes[source].address, nodes[target].address)
        let targetID = try await operators.ask(to, ["CLUSTER", "MYID"]).text ?? ""
        let sourceID = try await operators.ask(from, ["CLUSTER", "MYID"]).text ?? ""
        try await operators.ask(to, ["CLUSTER", "SETSLOT", "\(slot)", "IMPORTING", sourceID])
        try await operators.ask(from, ["CLUSTER", "SETSLOT", "\(slot)", "MIGRATING", targetID])
        while true {
            let keys = try await operators.ask(from, ["CLUSTER", "GETKEYSINSLOT", "\(slot)", "20"]).array ?? []
            if keys.isEmpty { break }
            let words = ["MIGRATE", to.host, "\(to.port)", "", "0", "5000", "KEYS"].map { Array($0.utf8) }
            try await operators.ask(from, RedisCommand(words + keys.compactMap(\.bytes)))
        }
        for node in [to, from] + nodes.map(\.address).filter({ $0 != to && $0 != from }) {
            try await operators.ask(node, ["CLUSTER", "SETSLOT", "\(slot)", "NODE", targetID])
        }
        while try await !isAgreed() { await operators.pause() }
    }

    /// Whether all nodes know how new the others' word on their slots is. A node that gets a slot earlier may lose it
    /// again to another's older message.
    private func isAgreed() async throws -> Bool {
        var views: Set<Set<[Substring]>> = []
        for node in nodes {
            let lines = try await operators.ask(node.address, ["CLUSTER", "NODES"]).text?.split(separator: "\n") ?? []
            // The name and the epoch of each.
            views.insert(Set(lines.map { $0.split(separator: " ") }.filter { $0.count > 6 }.map { [$0[0], $0[6]] }))
        }
        return views.count == 1 && views.first.map { Set($0.map { $0[1] }).count == $0.count } == true
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
