import Glibc
import SwitchyardReactor
import Synchronization
import TestSupport
import Testing

@testable import SwitchyardRedis

@Suite("A cluster", .timeLimit(.minutes(2))) struct ClusterDeploymentTests {
    private static var soon: Instant { Instant.now() + .seconds(60) }

    /// A cluster under work in one test.
    private struct Scene {
        let cluster: RedisCluster
        let test: TestLoop
        let deployment: RedisDeployment
        let log = CommandLog()
        let keys: [String]

        /// Writes to `keys` from now on.
        init(
            _ keys: [String], patience: Int, onMessage: @escaping @Sendable (String, [UInt8]) -> Void = { _, _ in }
        ) async throws {
            let cluster = try await RedisCluster.start(patience: patience)
            let test = try TestLoop()
            self.cluster = cluster
            self.test = test
            self.keys = keys
            let log = log
            deployment = await test.run { () -> RedisDeployment in
                let deployment = RedisDeployment(cluster.configuration, on: test.loop, onMessage: onMessage)
                log.keepWriting(deployment, to: keys, on: test.loop)
                return deployment
            }
            await writeMore()
        }

        func writeMore() async {
            let log = log
            await test.run { await log.waitForMore() }
        }

        func send(_ command: RedisCommand, key: String) async throws -> RedisValue {
            let deployment = deployment
            return try await test.run { () -> Result<RedisValue, RedisError> in
                do throws(RedisError) {
                    return .success(try await deployment.send(command, key: Array(key.utf8), until: soon))
                } catch {
                    return .failure(error)
                }
            }.get()
        }

        /// - Returns: the broken promises, in words.
        func end(isDurable: Bool) async -> [String] {
            let (log, deployment, keys) = (log, deployment, keys)
            return await test.run {
                await log.stop()
                let found = await log.contradictions(deployment, keys: keys, isDurable: isDurable)
                deployment.close()
                return found
            }
        }
    }

    @Test("a slot moves from node to node while commands run, and each of them is executed once")
    func resharding() async throws {
        // All of one slot.
        let keys = (0..<4).map { "{moving}log:\($0)" }
        let scene = try await Scene(keys, patience: 15_000)
        let slot = HashSlot.of(Array("moving".utf8))
        let operators = scene.cluster.operators
        let owner = slot * 3 / HashSlot.count
        let (source, target) = (scene.cluster.nodes[owner].address, scene.cluster.nodes[(owner + 1) % 3].address)
        let sourceID = try await operators.ask(source, ["CLUSTER", "MYID"]).text ?? ""
        let targetID = try await operators.ask(target, ["CLUSTER", "MYID"]).text ?? ""
        func migrate(_ key: String) async throws {
            try await operators.ask(source, ["MIGRATE", "127.0.0.1", "\(target.port)", key, "0", "5000"])
        }
        _ = try await scene.send(["MSET", "{moving}a", "1", "{moving}b", "2"], key: "{moving}")
        try await operators.ask(target, ["CLUSTER", "SETSLOT", "\(slot)", "IMPORTING", sourceID])
        try await operators.ask(source, ["CLUSTER", "SETSLOT", "\(slot)", "MIGRATING", targetID])

        // A key that is not there yet is made at its new place.
        #expect(try await scene.send(["SET", "{moving}c", "3"], key: "{moving}c") == .status("OK"))
        #expect(try await scene.cluster.errors("ASK", of: source) > 0)

        // One of two keys is at each node, until both are at the second.
        try await migrate("{moving}a")
        let both = Mutex<RedisValue?>(nil)
        let done = Signal()
        let deployment = scene.deployment
        scene.test.loop.start {
            let answer = try? await deployment.send(
                ["MGET", "{moving}a", "{moving}b"], key: Array("{moving}a".utf8), until: Self.soon)
            both.withLock { $0 = answer }
            done.raise()
        }
        while try await scene.cluster.errors("TRYAGAIN", of: source) == 0 { await operators.pause() }
        try await migrate("{moving}b")
        _ = await scene.test.run { await done.wait(until: Self.soon) }
        #expect(both.withLock { $0 } == .array([.bytes([UInt8(ascii: "1")]), .bytes([UInt8(ascii: "2")])]))

        for key in keys { try await migrate(key) }
        await scene.writeMore()
        for node in [target, source] {
            try await operators.ask(node, ["CLUSTER", "SETSLOT", "\(slot)", "NODE", targetID])
        }
        await scene.writeMore()
        #expect(try await scene.cluster.errors("MOVED", of: source) > 0)
        #expect(try await scene.send(["GET", "{moving}c"], key: "{moving}c") == .bytes([UInt8(ascii: "3")]))
        #expect(await scene.end(isDurable: true) == [])
        #expect(scene.log.notDone == [] && scene.log.unknown == [])
    }

    @Test("the replica of a primary that is killed, or hangs, takes its commands, and what is published is heard on")
    func failOvers() async throws {
        let heard = Mutex<Set<String>>([])
        let scene = try await Scene((0..<12).map { "log:\($0)" }, patience: 1000) { _, message in
            _ = heard.withLock { $0.insert(String(decoding: message, as: UTF8.self)) }
        }
        let deployment = scene.deployment
        await scene.test.run { deployment.subscribe(to: "news") }
        func isHeard(_ message: String) async -> Bool {
            await scene.test.run {
                for number in 0... where !heard.withLock({ $0.contains(message) }) {
                    _ = try? await deployment.send(
                        ["PUBLISH", "news", message], key: Array("\(number)".utf8), until: Self.soon)
                    await EventLoop.sleep(until: .now() + .milliseconds(20))
                    if heard.withLock({ $0.contains(message) }) { break }
                }
                return true
            }
        }
        #expect(await isHeard("first"))

        let nodes = scene.cluster.nodes
        nodes[0].signal(SIGKILL)
        try await scene.cluster.waitForPrimary(nodes[3].address)
        await scene.writeMore()
        #expect(await isHeard("killed"))

        nodes[1].signal(SIGSTOP)
        try await scene.cluster.waitForPrimary(nodes[4].address)
        await scene.writeMore()
        #expect(await isHeard("stopped"))

        // A node that has not heard of the fail-over yet may have told the topology, until a command finds the old primary silent.
        let gone: Set = [nodes[0].address, nodes[1].address]
        var primaries = gone
        while !primaries.isDisjoint(with: gone) {
            primaries = await scene.test.run { () -> Set<RedisAddress> in
                let answers = try? await deployment.sendToEach(["PING"], until: Self.soon)
                return Set((answers ?? []).map(\.server))
            }
        }
        // The third is as it was, or its replica, should this machine have let it wait for longer than a node may be silent.
        #expect(primaries.count == 3 && primaries.isSuperset(of: [nodes[3].address, nodes[4].address]))
        // For a moment the node still takes itself for a primary, and tells clients so.
        nodes[1].signal(SIGCONT)
        #expect(await scene.end(isDurable: false) == [])
        #expect(scene.log.notDone == [], "what was not sent was sent to the next one")
    }

    @Test("a server that is no cluster is told")
    func noCluster() async throws {
        let server = try RedisServer()
        let operators = try RedisOperator()
        try await operators.wait(for: server.address, ["PING"]) { _ in true }
        let test = try TestLoop()
        let words = await test.run { () -> String in
            let deployment = RedisDeployment(.cluster([server.address]), on: test.loop)
            defer { deployment.close() }
            do throws(RedisError) {
                _ = try await deployment.send(["PING"], key: [], until: .now() + .milliseconds(500))
                return ""
            } catch {
                return "\(error)"
            }
        }
        #expect(words.contains("cluster support disabled"))
    }
}
