import SwitchyardReactor
import Testing

@testable import SwitchyardRedis

/// Answers of a cluster. Its nodes are ports of one address.
private enum Sample {
    static let three: [(Int64, Int64, UInt16)] = [(0, 5460, 1), (5461, 10922, 2), (10923, 16383, 3)]

    static func node(_ port: UInt16) -> RedisAddress { RedisAddress(host: "10.0.0.1", port: port) }

    /// Of `CLUSTER SLOTS`; each primary has a replica a hundred ports further.
    static func topology(
        _ ranges: [(Int64, Int64, UInt16)] = three, host: String? = "10.0.0.1"
    ) -> RedisValue {
        .array(
            ranges.map { first, last, port in
                let host: RedisValue = host.map { .bytes(Array($0.utf8)) } ?? .null
                return .array([
                    .integer(first), .integer(last), .array([host, .integer(Int64(port)), .bytes([])]),
                    .array([host, .integer(Int64(port + 100)), .bytes([])]),
                ])
            })
    }

    static func error(_ text: String) -> Result<RedisValue, RedisError> {
        .success(.error(RedisServerError(text)))
    }
}

@Suite("Cluster") struct ClusterTests {
    private func node(_ port: UInt16) -> RedisAddress { Sample.node(port) }

    // MARK: Slots

    @Test(
        "a key's slot is what Redis says it is",
        arguments: [
            ("123456789", 12739), ("", 0), ("foo", 12182), ("{foo}", 12182), ("a{foo}b", 12182), ("a{foo}{bar}", 12182),
            ("hello", 866),
        ])
    func slots(key: String, slot: Int) {
        #expect(HashSlot.of(Array(key.utf8)) == slot)
    }

    @Test("CRC-16/XMODEM gives the published check value")
    func crc() {
        #expect(HashSlot.crc16(Array("123456789".utf8)) == 0x31C3)
    }

    @Test("an empty hash tag is none", arguments: ["{}key", "a{}b{foo}", "{unclosed", "}{"])
    func noTag(key: String) {
        #expect(HashSlot.of(Array(key.utf8)) == Int(HashSlot.crc16(Array(key.utf8))) % HashSlot.count)
    }

    // MARK: Topology

    @Test(
        "a slot belongs to the node whose range it is in",
        arguments: [(0, 1), (5460, 1), (5461, 2), (10922, 2), (10923, 3), (16383, 3)] as [(Int, UInt16)])
    func topology(slot: Int, port: UInt16) throws {
        let topology = try #require(ClusterTopology(Sample.topology(), from: node(9)))
        #expect(topology.primary(ofSlot: slot) == node(port))
        #expect(topology.isComplete)
        #expect(topology.primaries == [1, 2, 3].map(node))
        #expect(topology.nodes == [1, 2, 3, 101, 102, 103].map(node))
    }

    @Test("slots without a server lead to no node")
    func gaps() throws {
        let topology = try #require(ClusterTopology(Sample.topology([(0, 10, 1), (20, 30, 2)]), from: node(9)))
        #expect(!topology.isComplete)
        #expect(topology.primary(ofSlot: 15) == nil && topology.primary(ofSlot: 31) == nil)
        #expect(topology.primary(ofSlot: 20) == node(2))
    }

    @Test("a node that does not know its name has that by which it was asked")
    func namelessNode() throws {
        let topology = try #require(ClusterTopology(Sample.topology([(0, 16383, 7)], host: nil), from: node(9)))
        #expect(topology.primary(ofSlot: 5) == node(7))
    }

    @Test(
        "what is no topology is refused",
        arguments: [
            .null, .integer(1), .array([.integer(1)]), .array([.array([.integer(5), .integer(1), .array([])])]),
            Sample.topology([(0, 16384, 1)]), Sample.topology([(-1, 5, 1)]), Sample.topology([(0, -1, 1)]),
            Sample.topology([(.min, .max, 1)]), Sample.topology([(.max, .min, 1)]),
            Sample.topology([(0, 100, 1), (100, 200, 2)]),
            .array([.array([.integer(0), .integer(1), .array([.bytes([]), .integer(70000)])])]),
        ] as [RedisValue])
    func malformed(value: RedisValue) {
        #expect(ClusterTopology(value, from: Sample.node(9)) == nil)
    }

    // MARK: Routing

    private func at(_ seconds: Double) -> Instant { Instant(nanoseconds: 1_000_000_000) + .seconds(seconds) }

    private func router() throws -> ClusterRouter {
        var router = ClusterRouter(seeds: [node(9)])
        #expect(router.lookUp(at: at(0)) == [node(9)])
        router.found(try #require(ClusterTopology(Sample.topology(), from: node(9))), at: at(0))
        return router
    }

    @Test("before the topology is known a command waits, and the seeds are asked once")
    func start() {
        var router = ClusterRouter(seeds: [node(8), node(9)])
        #expect(router.step(for: ClusterRouter.Attempt(slot: 1)) == .wait)
        #expect(router.lookUp(at: at(0)) == [node(8), node(9)])
        #expect(router.lookUp(at: at(0)) == nil, "by one at a time")
        router.notFound(at: at(0))
        #expect(router.lookUp(at: at(0.1)) == nil)
        #expect(router.lookUp(at: at(0.3)) != nil)
    }

    @Test(
        "what follows from an answer",
        arguments: [
            (.success(.status("OK")), .deliver), (.success(.null), .deliver),
            (Sample.error("MOVED 1 10.0.0.1:2"), .again(.send(to: Sample.node(2)))),
            (Sample.error("MOVED 1 :2"), .again(.send(to: Sample.node(2)))),
            (Sample.error("ASK 1 10.0.0.1:3"), .again(.sendAsking(to: Sample.node(3)))),
            (Sample.error("TRYAGAIN later"), .later(.milliseconds(50))),
            (Sample.error("CLUSTERDOWN down"), .later(.milliseconds(50))),
            (Sample.error("READONLY replica"), .later(.milliseconds(50))),
            (Sample.error("LOADING disk"), .later(.milliseconds(50))),
            (Sample.error("BUSY script"), .later(.milliseconds(50))),
            (Sample.error("ERR wrong"), .deliver), (Sample.error("NOSCRIPT forgotten"), .deliver),
            (Sample.error("OOM full"), .deliver),
            (.failure(.notSent(reason: "gone")), .later(.milliseconds(50))),
            (.failure(.outcomeUnknown(reason: "gone")), .fail),
        ] as [(Result<RedisValue, RedisError>, ClusterRouter.Verdict)])
    func verdicts(result: Result<RedisValue, RedisError>, verdict: ClusterRouter.Verdict) throws {
        var router = try router()
        var attempt = ClusterRouter.Attempt(slot: 1)
        #expect(router.step(for: attempt) == .send(to: Sample.node(1)))
        #expect(router.judge(result, from: node(1), &attempt) == verdict)
    }

    @Test("a slot that has moved is at its new node for all that follows, and the topology is looked up again")
    func moved() throws {
        var router = try router()
        #expect(router.lookUp(at: at(1)) == nil)
        var attempt = ClusterRouter.Attempt(slot: 1)
        _ = router.judge(Sample.error("MOVED 1 10.0.0.1:4"), from: node(1), &attempt)
        #expect(router.step(for: ClusterRouter.Attempt(slot: 1)) == .send(to: Sample.node(4)))
        #expect(router.step(for: ClusterRouter.Attempt(slot: 2)) == .send(to: Sample.node(1)))
        #expect(router.lookUp(at: at(1)) == [4, 1, 2, 3, 101, 102, 103, 9].map(node), "who knows best is asked first")
    }

    @Test("a slot that is only on its way stays where it is for all others")
    func ask() throws {
        var router = try router()
        var attempt = ClusterRouter.Attempt(slot: 1)
        _ = router.judge(Sample.error("ASK 1 10.0.0.1:4"), from: node(1), &attempt)
        #expect(router.step(for: ClusterRouter.Attempt(slot: 1)) == .send(to: Sample.node(1)))
        #expect(router.lookUp(at: at(1)) == nil)
    }

    @Test("nodes that send a command round in a circle are left alone for a while")
    func circle() throws {
        var router = try router()
        var attempt = ClusterRouter.Attempt(slot: 1)
        var verdicts: [ClusterRouter.Verdict] = []
        for round in 0..<6 {
            let port = round % 2 == 0 ? 2 : 1
            verdicts.append(router.judge(Sample.error("MOVED 1 10.0.0.1:\(port)"), from: node(1), &attempt))
        }
        #expect(verdicts.dropLast().allSatisfy { if case .again = $0 { true } else { false } })
        #expect(verdicts.last == .later(.milliseconds(50)))
    }

    @Test("pauses grow up to a second")
    func pauses() throws {
        var router = try router()
        var attempt = ClusterRouter.Attempt(slot: 1)
        let pauses = (0..<8).map { _ in router.judge(Sample.error("TRYAGAIN"), from: node(1), &attempt) }
        #expect(pauses == [50, 100, 200, 400, 800, 1000, 1000, 1000].map { .later(.milliseconds($0)) })
    }

    @Test("the topology is looked up again after half a minute in any case, and no more often than five times a second")
    func refresh() throws {
        var router = try router()
        #expect(router.lookUp(at: at(29)) == nil)
        #expect(router.lookUp(at: at(30)) != nil)
        router.found(try #require(ClusterTopology(Sample.topology(), from: node(1))), at: at(30))
        var attempt = ClusterRouter.Attempt(slot: 1)
        _ = router.judge(Sample.error("MOVED 1 10.0.0.1:4"), from: node(1), &attempt)
        #expect(router.lookUp(at: at(30.1)) == nil)
        #expect(router.due > at(30.1) && router.due < at(30.3))
        #expect(router.lookUp(at: at(30.3)) != nil)
        #expect(router.due == .never, "by one at a time")
    }
}
