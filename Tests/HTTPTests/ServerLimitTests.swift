import SwitchyardHTTP
import SwitchyardReactor
import TestSupport
import Testing

/// Times are set to almost zero. The tests judge the outcome, never its time.
@Suite("Server: limits", .timeLimit(.minutes(1))) struct ServerLimitTests {
    private static let request = "GET /x HTTP/1.1\r\nHost: a\r\n\r\n"

    private func limits(_ change: (inout HTTPLimits) -> Void) -> HTTPLimits {
        var limits = HTTPLimits()
        change(&limits)
        return limits
    }

    @Test("a connection that never says anything is closed without a word")
    func firstByte() throws {
        let server = try TestServer(limits: limits { $0.firstByteTimeout = .milliseconds(1) })
        #expect(try TestClient(port: server.port).isAtEnd())
    }

    @Test("an idle connection is closed without a word, after its answer")
    func idle() throws {
        let server = try TestServer(limits: limits { $0.idleTimeout = .milliseconds(1) })
        let client = try TestClient(port: server.port)
        client.send(Self.request)
        #expect(try client.readAnswer().status == 200)
        #expect(client.isAtEnd())
    }

    @Test("a head that does not come to its end is 408", arguments: ["G", "GET / HTTP/1.1\r\nHost: a\r\n"])
    func header(start: String) throws {
        let server = try TestServer(limits: limits { $0.headerTimeout = .milliseconds(1) })
        let client = try TestClient(port: server.port)
        client.send(start)
        let answer = try client.readAnswer()
        #expect(answer.status == 408)
        #expect(answer.has("Connection: close"))
    }

    @Test(
        "content that does not come to its end is 408", arguments: ["Content-Length: 9", "Transfer-Encoding: chunked"])
    func body(framing: String) throws {
        let server = try TestServer(limits: limits { $0.bodyTimeout = .milliseconds(1) })
        let client = try TestClient(port: server.port)
        client.send("POST / HTTP/1.1\r\nHost: a\r\n\(framing)\r\n\r\n5")
        #expect(try client.readAnswer().status == 408)
    }

    @Test("a client that does not read its answer is let go")
    func write() async throws {
        let large = [UInt8](repeating: 7, count: 32 << 20)
        let began = Signal()
        let server = try TestServer(limits: limits { $0.writeTimeout = .milliseconds(1) }) { _ in
            began.raise()
            return Response(.ok, body: .bytes(large))
        }
        let client = try TestClient(port: server.port)
        client.send(Self.request)
        let test = try TestLoop()
        // Ends when the server has given the connection up.
        #expect(await test.run { await began.wait(until: Instant.now() + .seconds(20)) })
        while server.connections.openConnections > 0 { await Self.pause(test) }
        #expect(client.readToEnd().utf8.count < large.count)
    }

    @Test("a connection above the limit is told to come again, and one that ends makes room")
    func connections() async throws {
        let server = try TestServer(maximumConnections: 1)
        do {
            let first = try TestClient(port: server.port)
            first.send(Self.request)
            #expect(try first.readAnswer().status == 200)
            let second = try TestClient(port: server.port)
            second.send(Self.request)
            let answer = try second.readAnswer()
            #expect(answer.status == 503)
            #expect(answer.has("Retry-After: 5"))
            #expect(answer.has("Connection: close"))
            first.send(Self.request)
            #expect(try first.readAnswer().status == 200)
        }
        let test = try TestLoop()
        while server.connections.openConnections > 0 { await Self.pause(test) }
        let third = try TestClient(port: server.port)
        third.send(Self.request)
        #expect(try third.readAnswer().status == 200)
    }

    private static func pause(_ test: TestLoop) async {
        await test.run { await EventLoop.sleep(until: Instant.now() + .milliseconds(10)) }
    }
}
