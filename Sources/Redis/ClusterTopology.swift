/// Which node serves which slots of a cluster, as one of its nodes said (`CLUSTER SLOTS`).
struct ClusterTopology: Hashable, Sendable {
    private struct Range: Hashable {
        let slots: ClosedRange<Int>
        let primary: RedisAddress
    }

    /// By their slots, not overlapping.
    private let ranges: [Range]
    /// The nodes that serve slots, each once.
    let primaries: [RedisAddress]
    /// Every node that was named, primaries first.
    let nodes: [RedisAddress]

    /// Whether every slot has a node.
    let isComplete: Bool

    /// - Parameters:
    ///   - answer: of `CLUSTER SLOTS`.
    ///   - asked: the node that answered; a node that does not know its own name leaves it out.
    /// - Returns: nil when it is no such answer.
    init?(_ answer: RedisValue, from asked: RedisAddress) {
        guard let entries = answer.array else { return nil }
        var ranges: [Range] = []
        var replicas: [RedisAddress] = []
        for entry in entries {
            guard let parts = entry.array, parts.count >= 3, let first = parts[0].integer, let last = parts[1].integer,
                first >= 0, first <= last, last < HashSlot.count
            else { return nil }
            let nodes = parts[2...].compactMap { Self.address($0, asked) }
            guard nodes.count == parts.count - 2, let primary = nodes.first else { return nil }
            ranges.append(Range(slots: Int(first)...Int(last), primary: primary))
            replicas += nodes.dropFirst()
        }
        self.ranges = ranges.sorted { $0.slots.lowerBound < $1.slots.lowerBound }
        var next = 0
        for range in self.ranges {
            guard range.slots.lowerBound >= next else { return nil }
            next = range.slots.upperBound + 1
        }
        isComplete = self.ranges.reduce(0) { $0 + $1.slots.count } == HashSlot.count
        var seen: Set<RedisAddress> = []
        primaries = ranges.map(\.primary).filter { seen.insert($0).inserted }
        nodes = primaries + replicas.filter { seen.insert($0).inserted }
    }

    private static func address(_ node: RedisValue, _ asked: RedisAddress) -> RedisAddress? {
        guard let parts = node.array, parts.count >= 2, let port = parts[1].integer.flatMap({ UInt16(exactly: $0) })
        else { return nil }
        let host = parts[0].text ?? ""
        return RedisAddress(host: host.isEmpty || host == "?" ? asked.host : host, port: port)
    }

    /// - Returns: nil where no node serves the slot.
    func primary(ofSlot slot: Int) -> RedisAddress? {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].slots.upperBound < slot { low = middle + 1 } else { high = middle }
        }
        guard low < ranges.count, ranges[low].slots.contains(slot) else { return nil }
        return ranges[low].primary
    }
}
