import Glibc
import SwitchyardReactor
import SwitchyardRedis
import Synchronization
import TestSupport
import Testing

@Suite("A primary behind Sentinels", .timeLimit(.minutes(2))) struct SentinelDeploymentTests {
    private static var soon: Instant { Instant.now() + .seconds(60) }

    @Test("commands and subscriptions follow the primary, whether it is killed, hangs, or is replaced on purpose")
    func failOvers() async throws {
        let group = try await RedisSentinels.start(patience: 500)
        let test = try TestLoop()
        let log = CommandLog()
        let heard = Mutex<[String]>([])
        let deployment = await test.run {
            RedisDeployment(group.configuration, on: test.loop) { _, message in
                heard.withLock { $0.append(String(decoding: message, as: UTF8.self)) }
            }
        }
        let keys = (0..<4).map { "log:\($0)" }
        await test.run {
            deployment.subscribe(to: "news")
            log.keepWriting(deployment, to: keys, on: test.loop)
        }
        /// Published again until it is heard: the subscription may just be on its way.
        func isHeard(_ message: String) async -> Bool {
            await test.run {
                while !heard.withLock({ $0.contains(message) }) {
                    _ = try? await deployment.send(["PUBLISH", "news", message], key: [], until: Self.soon)
                    await EventLoop.sleep(until: .now() + .milliseconds(20))
                }
                return true
            }
        }
        await test.run { await log.waitForMore() }
        #expect(await isHeard("first"))

        let first = group.servers[0].address
        group.servers[0].signal(SIGKILL)
        let second = try await group.waitForPrimary(otherThan: first)
        await test.run { await log.waitForMore() }
        #expect(await isHeard("killed"))

        let replacement = try RedisServer(
            port: first.port, ["--replicaof", second.host, "\(second.port)", "--repl-diskless-sync-delay", "0"])
        try await group.waitForReplica(of: second)
        try await group.failOver()
        let third = try await group.waitForPrimary(otherThan: second)
        #expect(third == replacement.address)
        await test.run { await log.waitForMore() }
        #expect(await isHeard("replaced"))

        try await group.waitForReplica(of: third)
        replacement.signal(SIGSTOP)
        // Only a Sentinel's word ends what waits for an answer here.
        await test.run { await log.waitForMore() }
        #expect(try await group.primary() != third)
        #expect(await isHeard("stopped"))
        replacement.signal(SIGCONT)

        let contradictions = await test.run { () -> [String] in
            await log.stop()
            return await log.contradictions(deployment, keys: keys, isDurable: false)
        }
        #expect(contradictions == [])
        #expect(log.notDone == [], "what was not sent was sent to the next one")
        await test.run { deployment.close() }
    }

    @Test("Sentinels that ask for a password are shown it, and others are not")
    func passwords() async throws {
        let server = try RedisServer(["--requirepass", "secret"])
        let folder = try LastingFolder.make()
        func sentinel(_ number: Int, _ more: String) throws -> RedisServer {
            let file = "\(folder)/sentinel\(number).conf"
            let monitor = "sentinel monitor main 127.0.0.1 \(server.address.port) 1\n"
            try RedisServer.write("\(monitor)sentinel auth-pass main secret\n\(more)\n", to: file)
            return try RedisServer([file, "--sentinel"])
        }
        var options = RedisOptions()
        options.access = RedisAccess(.init(password: "secret"))
        options.database = 2
        for sentinel in [try sentinel(0, ""), try sentinel(1, "requirepass secret")] {
            let test = try TestLoop()
            let configuration = RedisDeploymentConfiguration.sentinel(
                name: "main", addresses: [RedisAddress(host: "127.0.0.1", port: 1), sentinel.address], options)
            let information = await test.run { () -> String? in
                let deployment = RedisDeployment(configuration, on: test.loop)
                defer { deployment.close() }
                return try? await deployment.send(["CLIENT", "INFO"], key: [], until: Self.soon).text
            }
            #expect(information?.contains(" db=2 ") == true)
        }
    }

    @Test("a name that no Sentinel knows is told, and so is a Sentinel that is not there")
    func unknownName() async throws {
        let server = try RedisServer()
        let folder = try LastingFolder.make()
        let file = "\(folder)/sentinel.conf"
        try RedisServer.write("sentinel monitor main 127.0.0.1 \(server.address.port) 1\n", to: file)
        let sentinel = try RedisServer([file, "--sentinel"])
        let operators = try RedisOperator()
        try await operators.wait(for: sentinel.address, ["PING"]) { _ in true }
        let test = try TestLoop()
        func words(_ name: String, _ address: RedisAddress) async -> String {
            await test.run { () -> String in
                let deployment = RedisDeployment(.sentinel(name: name, addresses: [address]), on: test.loop)
                defer { deployment.close() }
                do throws(RedisError) {
                    _ = try await deployment.send(["PING"], key: [], until: .now() + .milliseconds(500))
                    return ""
                } catch {
                    guard case .notSent(let reason) = error else { return "sent" }
                    return reason
                }
            }
        }
        #expect(await words("other", sentinel.address) == "the Sentinel at \(sentinel.address) knows no \"other\"")
        #expect(await words("main", RedisAddress(host: "127.0.0.1", port: 1)).contains("refused"))
    }
}
