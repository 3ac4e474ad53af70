import Glibc
import SwitchyardCrypto
import SwitchyardReactor
import SwitchyardTLS
import Synchronization
import TestSupport
import Testing

@testable import SwitchyardRedis

@Suite("Connections to Redis", .timeLimit(.minutes(2))) struct RedisConnectionTests {
    private static var soon: Instant { Instant.now() + .seconds(30) }

    /// Runs `body` on a loop with a connection to the server, once that is there.
    private func run<Value: Sendable>(
        _ server: RedisServer, _ options: RedisOptions = RedisOptions(),
        _ body: @escaping @Sendable (RedisConnection, EventLoop) async throws -> Value
    ) async throws -> Value {
        let test = try TestLoop()
        let result: Result<Value, any Error> = await test.run {
            do {
                let client = RedisClient(server.address, options, on: test.loop)
                let connection = try await client.connection(until: Self.soon)
                defer { client.close() }
                return .success(try await body(connection, test.loop))
            } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    /// The error of a running server that refuses a client.
    private func failure(
        _ address: RedisAddress, _ options: RedisOptions
    ) async throws -> RedisError? {
        let test = try TestLoop()
        return await test.run {
            while true {
                do throws(RedisError) {
                    _ = try await RedisConnection.connect(to: address, options, on: test.loop)
                    return nil
                } catch {
                    guard "\(error)".contains("Connection refused") else { return error }
                    await EventLoop.sleep(until: Instant.now() + .milliseconds(20))
                }
            }
        }
    }

    @Test("commands of one turn are answered in order, each with its own value")
    func pipeline() async throws {
        let server = try RedisServer()
        let values = try await run(server) { connection, _ in
            let commands: [RedisCommand] = (0..<500).map { ["INCRBY", "counter", "\($0)"] }
            return await connection.send(commands, until: Self.soon)
        }
        var sum: Int64 = 0
        let expected: [Result<RedisValue, RedisError>] = (0..<500).map {
            sum += Int64($0)
            return .success(.integer(sum))
        }
        #expect(values == expected)
    }

    @Test("bytes of any kind and of any length come back as they were")
    func bytes() async throws {
        let server = try RedisServer()
        let value = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        let read = try await run(server) { connection, _ in
            let set = RedisCommand([Array("SET".utf8), Array("key".utf8), value])
            _ = try await connection.send(set, until: Self.soon)
            return try await connection.send(["GET", "key"], until: Self.soon)
        }
        #expect(read == .bytes(value))
    }

    @Test("an error of Redis is an error by its kind, and the connection goes on")
    func serverError() async throws {
        let server = try RedisServer()
        try await run(server) { connection, _ in
            do throws(RedisError) {
                _ = try await connection.send(
                    ["EVALSHA", "0000000000000000000000000000000000000000", "0"], until: Self.soon)
                Issue.record("there is no such script")
            } catch {
                guard case .server(let answered) = error else { throw error }
                #expect(answered.kind == .noScript)
            }
            #expect(try await connection.send(["PING"], until: Self.soon) == .status("PONG"))
        }
    }

    @Test("user, password, database and name are those of the options")
    func introduction() async throws {
        let server = try RedisServer(
            ["--user", "gateway", "on", ">secret", "~*", "&*", "+@all", "--user", "default", "off"])
        var options = RedisOptions()
        options.access = RedisAccess(.init(user: "gateway", password: "secret"))
        options.database = 3
        let (user, info) = try await run(server, options) { connection, _ in
            (
                try await connection.send(["ACL", "WHOAMI"], until: Self.soon).text,
                try await connection.send(["CLIENT", "INFO"], until: Self.soon).text ?? ""
            )
        }
        #expect(user == "gateway")
        #expect(info.contains(" db=3 ") && info.contains(" name=switchyard "))
    }

    @Test("a wrong password is told as such, and is not in the words")
    func wrongPassword() async throws {
        let server = try RedisServer(["--user", "gateway", "on", ">secret", "~*", "&*", "+@all"])
        var options = RedisOptions()
        options.access = RedisAccess(.init(user: "gateway", password: "hunter2"))
        options.connectTimeout = .seconds(20)
        let error = try #require(try await failure(server.address, options))
        guard case .server(let answered) = error else {
            Issue.record("\(error)")
            return
        }
        #expect(answered.kind == .wrongPassword)
        #expect(!"\(error)".contains("hunter2"))
    }

    // MARK: TLS

    private func tls(
        authorities: String? = RedisServer.certificates + "/ca.pem", showing identity: CertificateFiles? = .client
    ) throws -> RedisOptions {
        var options = RedisOptions()
        options.access = RedisAccess(
            .init(tls: try ClientContext(onlyAuthorities: authorities, identity: identity)))
        return options
    }

    @Test("over TLS with certificates on both sides everything is as without")
    func overTLS() async throws {
        let server = try RedisServer(isTLS: true)
        let value = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 7) }
        let read = try await run(server, try tls()) { connection, _ in
            let set = RedisCommand([Array("SET".utf8), Array("key".utf8), value])
            _ = try await connection.send(set, until: Self.soon)
            return try await connection.send(["GET", "key"], until: Self.soon)
        }
        #expect(read == .bytes(value))
    }

    @Test("a server whose certificate nobody believed in vouches for, or that is for another name, is not talked to")
    func untrusted() async throws {
        let server = try RedisServer(isTLS: true)
        let stranger = try await failure(server.address, try tls(authorities: nil))
        #expect("\(try #require(stranger))".contains("is not believed"))
        let elsewhere = RedisAddress(host: "127.0.0.2", port: server.address.port)
        let misnamed = try await failure(elsewhere, try tls())
        #expect("\(try #require(misnamed))".contains("is not believed"))
    }

    @Test("a server that asks for a certificate and gets none does not let in")
    func noClientCertificate() async throws {
        let server = try RedisServer(isTLS: true)
        #expect(try await failure(server.address, try tls(showing: nil)) != nil)
    }

    // MARK: The state of a command after its connection ended

    @Test("a command that the server may have seen is told apart from one that it cannot have seen")
    func lost() async throws {
        let server = try RedisServer()
        try await run(server) { connection, loop in
            server.signal(SIGSTOP)
            // It goes out, and no answer comes.
            let waiting = Mutex<Result<RedisValue, RedisError>?>(nil)
            let done = Signal()
            loop.start {
                let results = await connection.send([["INCR", "counter"]], until: Self.soon)
                waiting.withLock { $0 = results.first }
                done.raise()
            }
            await EventLoop.sleep(until: Instant.now() + .milliseconds(200))
            server.signal(SIGKILL)
            _ = await done.wait(until: Self.soon)
            guard case .failure(.outcomeUnknown) = waiting.withLock({ $0 }) else {
                Issue.record("it may have been executed")
                return
            }
            guard case .failure(.notSent) = await connection.send([["PING"]], until: Self.soon)[0] else {
                Issue.record("it cannot have been sent")
                return
            }
        }
    }

    @Test("a server that does not answer in time costs the time that was given, and the connection")
    func deadline() async throws {
        let server = try RedisServer()
        try await run(server) { connection, _ in
            server.signal(SIGSTOP)
            let result = await connection.send([["PING"], ["PING"]], until: Instant.now() + .milliseconds(100))
            server.signal(SIGCONT)
            #expect(result.allSatisfy { if case .failure(.outcomeUnknown) = $0 { true } else { false } })
            #expect(connection.end != nil)
        }
    }

    @Test("without a listener, the error comes at the time limit, with its reason")
    func nobody() async throws {
        let test = try TestLoop()
        let error = await test.run { () -> RedisError? in
            let deployment = RedisDeployment(.single(RedisAddress(host: "127.0.0.1", port: 1)), on: test.loop)
            defer { deployment.close() }
            do throws(RedisError) {
                _ = try await deployment.send(["PING"], key: [], until: Instant.now() + .milliseconds(300))
                return nil
            } catch {
                return error
            }
        }
        guard case .notSent(let reason) = try #require(error) else {
            Issue.record("nothing was sent")
            return
        }
        #expect(reason.contains("refused"))
    }
}

extension CertificateFiles {
    fileprivate static let client = CertificateFiles(
        certificateChain: RedisServer.certificates + "/client.pem",
        privateKey: RedisServer.certificates + "/client.key")
}
