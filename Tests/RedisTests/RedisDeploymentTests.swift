import Glibc
import SwitchyardReactor
import SwitchyardRedis
import Synchronization
import TestSupport
import Testing

@Suite("One server of Redis", .timeLimit(.minutes(2))) struct RedisDeploymentTests {
    private static var soon: Instant { Instant.now() + .seconds(30) }

    @Test("commands find the server again when their connection has ended")
    func reconnect() async throws {
        let server = try RedisServer()
        let test = try TestLoop()
        let answers = await test.run { () -> [RedisValue?] in
            let deployment = RedisDeployment(.single(server.address), on: test.loop)
            defer { deployment.close() }
            var answers: [RedisValue?] = []
            for _ in 0..<3 {
                // The first try may still go to the connection that is about to end.
                var answer: RedisValue?
                while answer == nil { answer = try? await deployment.send(["PING"], key: [], until: Self.soon) }
                answers.append(answer)
                // The server throws it out.
                _ = try? await deployment.send(
                    ["CLIENT", "KILL", "TYPE", "normal", "SKIPME", "no"], key: [], until: Self.soon)
            }
            return answers
        }
        #expect(answers == [.status("PONG"), .status("PONG"), .status("PONG")])
    }

    @Test("a published message reaches the subscriber of its channel, also after a new connection")
    func messages() async throws {
        let server = try RedisServer()
        let test = try TestLoop()
        let heard = Mutex<[String]>([])
        let signal = Signal()
        let subscribed = Signal()
        let isHeard = await test.run { () -> Bool in
            let deployment = RedisDeployment(
                .single(server.address), on: test.loop,
                onMessage: { channel, message in
                    heard.withLock { $0.append("\(channel) \(String(decoding: message, as: UTF8.self))") }
                    signal.raise()
                }, onSubscribed: { subscribed.raise() })
            defer { deployment.close() }
            deployment.subscribe(to: "news")
            guard await subscribed.wait(until: Self.soon) else { return false }
            deployment.subscribe(to: "weather")
            for number in 1...3 {
                guard await subscribed.wait(until: Self.soon) else { return false }
                for channel in ["news", "weather"] {
                    _ = try? await deployment.send(["PUBLISH", channel, "\(number)"], key: [], until: Self.soon)
                    guard await signal.wait(until: Self.soon) else { return false }
                }
                _ = try? await deployment.send(["CLIENT", "KILL", "TYPE", "pubsub"], key: [], until: Self.soon)
            }
            return true
        }
        #expect(isHeard)
        #expect(heard.withLock { $0 } == (1...3).flatMap { ["news \($0)", "weather \($0)"] })
    }

    @Test("a script is known by its digest, and is sent again to a server that has forgotten it")
    func script() async throws {
        let server = try RedisServer()
        let test = try TestLoop()
        let script = RedisScript("return {KEYS[1], ARGV[1], redis.call('INCR', KEYS[1])}")
        let result = await test.run { () -> ([RedisValue?], RedisValue?) in
            let deployment = RedisDeployment(.single(server.address), on: test.loop)
            defer { deployment.close() }
            var values: [RedisValue?] = []
            for _ in 0..<3 {
                for _ in 0..<2 {
                    values.append(
                        try? await deployment.run(
                            script, keys: [Array("key".utf8)], arguments: [Array("x".utf8)], until: Self.soon))
                }
                _ = try? await deployment.send(["SCRIPT", "FLUSH"], key: [], until: Self.soon)
            }
            let statistics = try? await deployment.send(["INFO", "commandstats"], key: [], until: Self.soon)
            return (values, statistics)
        }
        let expected = (1...6).map {
            RedisValue.array([.bytes(Array("key".utf8)), .bytes(Array("x".utf8)), .integer(Int64($0))])
        }
        #expect(result.0 == expected)
        let statistics = result.1?.text ?? ""
        #expect(statistics.contains("cmdstat_eval:calls=3,") && statistics.contains("cmdstat_evalsha:calls=6,"))
    }

    @Test("a wrong password is told at once, whatever time there is")
    func wrongPassword() async throws {
        let server = try RedisServer(["--user", "gateway", "on", ">secret", "~*", "&*", "+@all"])
        let test = try TestLoop()
        var options = RedisOptions()
        options.access = RedisAccess(.init(user: "gateway", password: "hunter2"))
        let configuration = RedisDeploymentConfiguration.single(server.address, options)
        let error = await test.run { () -> RedisError? in
            let deployment = RedisDeployment(configuration, on: test.loop)
            defer { deployment.close() }
            do throws(RedisError) {
                _ = try await deployment.send(["PING"], key: [], until: .never)
                return nil
            } catch {
                return error
            }
        }
        guard case .server(let answered) = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(answered.kind == .wrongPassword)
    }

    @Test("a user who may not name its connection is let in")
    func nameless() async throws {
        let server = try RedisServer(["--user", "default", "on", "nopass", "~*", "&*", "+@all", "-client"])
        let test = try TestLoop()
        let answer = await test.run { () -> RedisValue? in
            let deployment = RedisDeployment(.single(server.address), on: test.loop)
            defer { deployment.close() }
            return try? await deployment.send(["PING"], key: [], until: Self.soon)
        }
        #expect(answer == .status("PONG"))
    }

    @Test("a server that turns out to be a replica is asked again over new connections until it is a primary")
    func readOnly() async throws {
        let server = try RedisServer()
        let test = try TestLoop()
        let answer = await test.run { () -> RedisValue? in
            let deployment = RedisDeployment(.single(server.address), on: test.loop)
            let other = RedisDeployment(.single(server.address), on: test.loop)
            defer {
                deployment.close()
                other.close()
            }
            _ = try? await other.send(["REPLICAOF", "127.0.0.1", "1"], key: [], until: Self.soon)
            let answered = Mutex<RedisValue?>(nil)
            let done = Signal()
            test.loop.start {
                let answer = try? await deployment.send(["SET", "key", "value"], key: [], until: Self.soon)
                answered.withLock { $0 = answer }
                done.raise()
            }
            await EventLoop.sleep(until: Instant.now() + .milliseconds(200))
            _ = try? await other.send(["REPLICAOF", "NO", "ONE"], key: [], until: Self.soon)
            _ = await done.wait(until: Self.soon)
            return answered.withLock { $0 }
        }
        #expect(answer == .status("OK"))
    }
}
