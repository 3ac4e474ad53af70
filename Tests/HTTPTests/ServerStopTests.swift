import SwitchyardHTTP
import SwitchyardReactor
import SwitchyardTLS
import Synchronization
import TestSupport
import Testing

/// On Unix sockets: a port that becomes free could be another test's at once.
@Suite("Server: stopping", .timeLimit(.minutes(1))) struct ServerStopTests {
    private static let request = "GET /x HTTP/1.1\r\nHost: a\r\n\r\n"

    @Test("an idle connection is closed, and a new one is not accepted")
    func idle() async throws {
        let directory = try TemporaryDirectory()
        let path = directory.file("s")
        let server = try TestServer(unixSocket: path)
        let client = try TestClient(path: path)
        client.send(Self.request)
        #expect(try client.readAnswer().status == 200)
        await server.server.stop(grace: .seconds(20))
        #expect(client.isAtEnd())
        #expect(server.connections.openConnections == 0)
        #expect(throws: TestClient.Failure.notConnected) { try TestClient(path: path) }
    }

    @Test("a running request finishes, with the word that the connection ends")
    func running() async throws {
        let (began, finish) = (Signal(), Signal())
        let directory = try TemporaryDirectory()
        let path = directory.file("s")
        let server = try TestServer(unixSocket: path) { _ in
            began.raise()
            _ = await finish.wait(until: Instant.now() + .seconds(20))
            return Response(.ok, body: .bytes(Array("done".utf8)))
        }
        let client = try TestClient(path: path)
        client.send(Self.request + Self.request)
        let test = try TestLoop()
        #expect(await test.run { await began.wait(until: Instant.now() + .seconds(20)) })
        let stopping = Task { await server.server.stop(grace: .seconds(20)) }
        // The new connection is refused once the server has begun to stop.
        while (try? TestClient(path: path)) != nil { await Task.yield() }
        finish.raise()
        let answer = try client.readAnswer()
        #expect(answer.body == "done")
        #expect(answer.has("Connection: close"))
        client.stopSending()
        #expect(client.isAtEnd(), "the second request is not answered any more")
        _ = await stopping.value
    }

    @Test("a connection in its handshake still gets an answer, with `Connection: close`")
    func handshaking() async throws {
        let certificates = try TestCertificates()
        let server = try TestServer(context: try certificates.context("localhost"))
        let context = try ClientContext(onlyAuthorities: certificates.file("localhost.pem"))
        let test = try TestLoop()
        let answer = try await test.loop.perform {
            let end = Instant.now() + .seconds(20)
            let socket = try await Socket.connect(to: "127.0.0.1", port: server.port, on: test.loop, until: end)
            let stream = try ClientStream(socket, to: "localhost", context)
            while server.connections.openConnections == 0 { await EventLoop.sleep(until: .now() + .milliseconds(2)) }
            await server.server.pauseListening(lastChance: .seconds(20))
            try await stream.handshake()
            _ = stream.write(Array(Self.request.utf8), from: 0)
            var buffer = [UInt8](repeating: 0, count: 4096)
            var answer = ""
            while true {
                switch stream.read(into: &buffer, at: 0) {
                case .bytes(let count): answer += String(decoding: buffer[..<count], as: UTF8.self)
                case .wouldBlock: if await stream.readable() != .ready { return answer }
                case .endOfStream, .failed: return answer
                }
            }
        }
        #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.contains("\r\nConnection: close\r\n"), "\(answer)")
    }

    @Test("a request that outlasts the grace is cut off")
    func grace() async throws {
        let began = Signal()
        let server = try TestServer { _ in
            began.raise()
            _ = await Signal().wait(until: Instant.now() + .seconds(60))
            return Response(.ok)
        }
        let client = try TestClient(port: server.port)
        client.send(Self.request)
        let test = try TestLoop()
        #expect(await test.run { await began.wait(until: Instant.now() + .seconds(20)) })
        await server.server.stop(grace: .milliseconds(1))
        #expect(client.readToEnd().isEmpty)
    }
}
