import SwitchyardHTTPClient
import TestSupport
import Testing

@Suite("The HTTP client")
struct HTTPClientTests {
    private let server = TestServer()
    private let loop: TestLoop
    private let client: HTTPClient

    init() throws {
        loop = try TestLoop()
        client = HTTPClient(loop: loop.loop)
    }

    private func send(_ request: OutgoingRequest) async -> Result<IncomingResponse, TransferError> {
        await loop.run { [client] in
            do throws(TransferError) {
                return .success(try await client.send(request))
            } catch {
                return .failure(error)
            }
        }
    }

    private func request(_ method: OutgoingRequest.Method, body: [UInt8]? = nil) -> OutgoingRequest {
        OutgoingRequest(method, server.url + "/path?q=1", body: body, maximumBytes: 1000, allowsPlainHTTP: true)
    }

    @Test(
        "each method goes out as itself, one after the other",
        arguments: [[OutgoingRequest.Method.post, .delete, .get]])
    func methods(methods: [OutgoingRequest.Method]) async throws {
        server.handle { .json(#""\#($0.method)""#) }
        for method in methods {
            let answer = try await send(request(method, body: method == .post ? [0x61] : nil)).get()
            #expect(answer.status == 200)
            #expect(String(decoding: answer.body, as: UTF8.self) == "\"\(method.rawValue)\"")
        }
        #expect(server.requests.map(\.body) == ["a", "", ""])
        #expect(server.requests.allSatisfy { $0.path == "/path?q=1" && $0.connection == 0 })
    }

    @Test(
        "a time-out without end is no end of the process", arguments: [Duration.seconds(Int64.max), .seconds(1 << 53)])
    func endlessTimeout(timeout: Duration) async throws {
        server.handle { _ in .answer(status: 204, headers: [], body: "") }
        var request = request(.get)
        request.timeout = timeout
        #expect(try await send(request).get().status == 204)
    }

    @Test("a header is found whatever its case, without the white space around it")
    func header() async throws {
        server.handle { _ in .answer(status: 204, headers: [("X-One", " a: b \t"), ("x-one", "second")], body: "") }
        let answer = try await send(request(.get)).get()
        #expect(answer.header("x-ONE") == "a: b")
        #expect(answer.header("x-on") == nil)
        #expect(answer.header("HTTP/1.1 204 X") == nil)
    }

    @Test("the header of an interim answer does not count")
    func interim() async throws {
        let text = "HTTP/1.1 103 X\r\nX-One: early\r\n\r\nHTTP/1.1 200 X\r\nContent-Length: 0\r\n\r\n"
        server.handle { _ in .raw(text) }
        let answer = try await send(request(.get)).get()
        #expect(answer.status == 200)
        #expect(answer.header("X-One") == nil)
    }

    @Test("content is taken up to the limit, to the byte", arguments: [(1000, true), (1001, false)])
    func limit(count: Int, isTaken: Bool) async {
        server.handle { _ in .json(String(repeating: "x", count: count)) }
        let result = await send(request(.get))
        #expect((result.failure == nil) == isTaken)
        if !isTaken { #expect(result.failure?.kind == .tooLarge) }
    }

    @Test("a header without end is cut off")
    func headerLimit() async {
        server.handle { _ in .raw("HTTP/1.1 200 X\r\n" + String(repeating: "X-Long: value\r\n", count: 100)) }
        #expect(await send(request(.get)).failure?.kind == .tooLarge)
    }

    @Test("a header line that is longer than libcurl takes is the server's doing")
    func headerLine() async {
        server.handle { _ in .raw("HTTP/1.1 200 X\r\nX: " + String(repeating: "x", count: 200_000) + "\r\n\r\n") }
        var request = request(.post, body: [0x61])
        request.maximumBytes = 1 << 20
        let failure = await send(request).failure
        #expect(failure?.kind == .tooLarge && failure?.wasSent == true)
    }

    @Test(
        "an answer has one length (RFC 9112 section 6.3)",
        arguments: [
            ("Content-Length: 2\r\nContent-Length: 2", true), ("Content-Length: 2, 2", true),
            ("Content-Length: 9\r\nContent-Length: 2", false), ("Content-Length: 2\r\ncontent-length: 9", false),
            ("Content-Length: 2, 9", false), ("Content-Length: 9, 2", false),
        ])
    func lengths(lines: String, isTaken: Bool) async {
        server.handle { _ in .raw("HTTP/1.1 200 X\r\n\(lines)\r\n\r\n{}") }
        let result = await send(request(.get))
        #expect((result.failure == nil) == isTaken)
        if !isTaken { #expect(result.failure?.kind == .malformedResponse) }
    }

    static let refused: [OutgoingRequest] = [
        OutgoingRequest(.get, "http://127.0.0.1:1/"), OutgoingRequest(.get, "file:///etc/hostname"),
        OutgoingRequest(.get, "https://"), OutgoingRequest(.get, "https://localhost/\r\nX: y"),
        OutgoingRequest(.get, "https://localhost/", headers: [("X", "a\r\nY: b")]),
        OutgoingRequest(
            .post, "https://localhost/", body: [UInt8](repeating: 0, count: OutgoingRequest.maximumBodyBytes + 1)),
    ]

    @Test("a request that is wrong is refused before anything is done", arguments: refused.indices)
    func refuses(index: Int) async {
        let failure = await send(Self.refused[index]).failure
        #expect(failure?.kind == .invalidRequest)
        #expect(failure?.wasSent == false)
    }

    @Test("the largest content is sent whole")
    func largeContent() async throws {
        server.handle { _ in .json("") }
        let body = [UInt8](repeating: 0x61, count: OutgoingRequest.maximumBodyBytes)
        _ = try await send(request(.post, body: body)).get()
        #expect(server.requests.first?.body.utf8.count == body.count)
    }

    @Test("a POST without content is not sent twice either")
    func emptyPOST() async throws {
        server.handle { $0.method == "GET" ? .json("") : .close }
        _ = try await send(request(.get)).get()
        let failure = await send(request(.post)).failure
        #expect(failure?.kind == .interrupted)
        #expect(failure?.wasSent == true)
        #expect(server.requests.count { $0.method == "POST" } == 1)
    }

    @Test(
        "what comes on an idle connection is no answer, and the connection not used again",
        arguments: [
            "HTTP/1.1 200 X\r\nContent-Length: 5\r\n\r\nwrong", "HTTP/1.1 408 X\r\nContent-Length: 0\r\n\r\n", "x",
            String(repeating: "x", count: 100_000),
        ], [false, true])
    func spokenOnIdle(text: String, endsThen: Bool) async throws {
        server.handle { .json($0.body) }
        for body in ["first", "second"] {
            let answer = try await send(request(.post, body: Array(body.utf8))).get()
            #expect(answer.status == 200)
            #expect(String(decoding: answer.body, as: UTF8.self) == body)
            server.sayUnasked(text)
            if endsThen { server.closeConnections() }
        }
        #expect(server.requests.map(\.connection) == [0, 1])
    }

    @Test("a connection that its server has ended is not used again")
    func endedOnIdle() async throws {
        server.handle { .json($0.body) }
        for number in 0..<3 {
            #expect(try await send(request(.post, body: [0x61])).get().status == 200)
            server.closeConnections()
            #expect(server.requests.last?.connection == number)
        }
    }

    @Test("a failed connection reports that no byte was sent")
    func notConnected() async {
        let closed = TestServer(isListening: false)
        let failure = await send(OutgoingRequest(.post, closed.url, body: [0x61], allowsPlainHTTP: true)).failure
        #expect(failure?.kind == .notConnected)
        #expect(failure?.wasSent == false)
        #expect(failure?.message.contains("(curl 7)") == true)
    }

    @Test("a server without TLS gets no request")
    func noTLS() async {
        server.handle { _ in .json("") }
        let url = "https" + server.url.dropFirst(4)
        let failure = await send(OutgoingRequest(.post, url, body: [0x61], timeout: .milliseconds(500))).failure
        #expect(failure?.wasSent == false)
        #expect(server.requests.isEmpty)
    }

    /// A server that is silent in the TLS handshake: clients only connect.
    private func silent(_ timeout: Duration) -> OutgoingRequest {
        OutgoingRequest(.post, "https" + server.url.dropFirst(4), body: [0x61], timeout: timeout)
    }

    private static let mostForServer = 16

    @Test("only so many connections to one server are made at the same time, the others in their turn")
    func turns() async throws {
        let count = Self.mostForServer * 2 + 3
        try await withThrowingTaskGroup { group in
            for _ in 0..<count { group.addTask { await send(silent(.seconds(600))).failure } }
            for expected in [Self.mostForServer, Self.mostForServer * 2, count] {
                while server.accepted < expected { try await Task.sleep(for: .milliseconds(5)) }
                // Time for one too many.
                try await Task.sleep(for: .milliseconds(30))
                #expect(server.accepted == expected)
                server.closeConnections()
            }
            for try await failure in group {
                #expect(failure?.kind == .notConnected && failure?.wasSent == false)
            }
        }
    }

    @Test("a request whose turn does not come in its time was not sent, and another server has turns of its own")
    func timeInLine() async throws {
        let other = TestServer { .json($0.body) }
        try await withThrowingTaskGroup { group in
            for _ in 0..<Self.mostForServer { group.addTask { await send(silent(.seconds(60))) } }
            while server.accepted < Self.mostForServer { try await Task.sleep(for: .milliseconds(5)) }
            let failure = await send(silent(.milliseconds(50))).failure
            #expect(failure?.kind == .timedOut && failure?.wasSent == false)
            #expect(
                failure?.message.contains("others wait to be connected to https://127.0.0.1:\(server.port)") == true)
            let request = OutgoingRequest(.post, other.url, body: [0x62], allowsPlainHTTP: true)
            #expect(try await send(request).get().status == 200)
            server.closeConnections()
            for try await result in group { #expect(result.failure?.kind == .notConnected) }
            #expect(server.accepted == Self.mostForServer)
        }
    }

    @Test("many requests at the same time each get their own answer")
    func concurrent() async {
        server.handle { .json($0.body) }
        await withTaskGroup(of: Bool.self) { group in
            for number in 0..<50 {
                group.addTask {
                    let body = Array("\(number)".utf8)
                    return (try? await send(request(.post, body: body)).get().body) == body
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }
}
