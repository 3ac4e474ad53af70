import Glibc
import SwitchyardHTTP
import SwitchyardReactor
import Synchronization
import Testing

@Suite("Server", .timeLimit(.minutes(1))) struct ServerTests {
    private func get(_ path: String, _ fields: String = "") -> String {
        "GET \(path) HTTP/1.1\r\nHost: a\r\n\(fields)\r\n"
    }

    @Test("a connection serves one request after another, and every answer has a date")
    func keepAlive() throws {
        let server = try TestServer()
        let client = try TestClient(port: server.port)
        for path in ["/one", "/two", "/three"] {
            client.send(get(path))
            let answer = try client.readAnswer()
            #expect(answer.status == 200)
            #expect(answer.body == "\(path) ")
            #expect(answer.has("Connection: keep-alive"))
            #expect(answer.head.contains("\r\nDate: ") && answer.head.contains(" GMT\r\n"))
        }
    }

    @Test("requests that come at once are answered in their order", arguments: [2, 50, 500])
    func pipelining(count: Int) throws {
        let server = try TestServer()
        let client = try TestClient(port: server.port)
        client.send((0..<count).map { get("/\($0)") }.joined())
        for number in 0..<count { #expect(try client.readAnswer().body == "/\(number) ") }
    }

    @Test("a request that comes byte by byte is served like any other")
    func byteByByte() throws {
        let server = try TestServer()
        let client = try TestClient(port: server.port)
        let request = "\r\nPOST /slow HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n0\r\n\r\n"
        for byte in Array(request.utf8) + Array(get("/next").utf8) { client.send([byte]) }
        #expect(try client.readAnswer().body == "/slow abc")
        #expect(try client.readAnswer().body == "/next ")
    }

    @Test(
        "content comes to the service whole, whatever its coding, and the next request is found behind it",
        arguments: [
            "Content-Length: 11\r\n\r\nhello world",
            "Transfer-Encoding: chunked\r\n\r\n6\r\nhello \r\n5\r\nworld\r\n0\r\n\r\n",
        ])
    func content(rest: String) throws {
        let server = try TestServer()
        let client = try TestClient(port: server.port)
        client.send("POST /c HTTP/1.1\r\nHost: a\r\n\(rest)\(get("/next"))")
        #expect(try client.readAnswer().body == "/c hello world")
        #expect(try client.readAnswer().body == "/next ")
    }

    @Test("content as large as the limit is taken; one byte more is 413, and the connection ends", arguments: [0, 1])
    func bodyLimit(surplus: Int) throws {
        let server = try TestServer()
        let client = try TestClient(port: server.port)
        let count = HTTPLimits().bodyBytes + surplus
        client.send(
            "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: \(count)\r\n\r\n" + String(repeating: "x", count: count))
        let answer = try client.readAnswer()
        #expect(answer.status == (surplus == 0 ? 200 : 413))
        #expect(answer.has(surplus == 0 ? "Connection: keep-alive" : "Connection: close"))
    }

    @Test("a client that waits for 100 Continue gets it, and then its answer")
    func expectContinue() throws {
        let server = try TestServer()
        let client = try TestClient(port: server.port)
        client.send("POST /e HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n")
        #expect(try client.readAnswer().status == 100)
        client.send("abc")
        #expect(try client.readAnswer().body == "/e abc")
    }

    @Test("content that is too large is refused without 100 Continue")
    func expectTooLarge() throws {
        let server = try TestServer()
        let client = try TestClient(port: server.port)
        client.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9999999\r\nExpect: 100-continue\r\n\r\n")
        #expect(try client.readAnswer().status == 413)
        client.stopSending()
        #expect(client.isAtEnd())
    }

    @Test(
        "bytes that are no request get one answer, and the connection ends",
        arguments: [
            ("GET / HTTP/1.1\nHost: a\n\n", 400), ("GET / HTTP/1.1\r\n\r\n", 400), ("\u{16}\u{3}\u{1}", 400),
            ("GET / HTTP/3.0\r\nHost: a\r\n\r\n", 505),
            ("GET /\(String(repeating: "x", count: 17000)) HTTP/1.1\r\n", 414),
            ("GET / HTTP/1.1\r\nHost: a\r\nX: \(String(repeating: "x", count: 17000))\r\n\r\n", 431),
            ("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nxyz", 400),
            ("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        ])
    func refused(bytes: String, status: Int) throws {
        let server = try TestServer()
        let client = try TestClient(port: server.port)
        client.send(bytes + get("/hidden"))
        client.stopSending()
        let text = client.readToEnd()
        #expect(text.hasPrefix("HTTP/1.1 \(status) "))
        #expect(text.contains("\r\nConnection: close\r\n"))
        #expect(text.ranges(of: "HTTP/1.1 ").count == 1)
    }

    @Test("a request that asks for the end of the connection gets its answer first", arguments: ["1.0", "1.1"])
    func close(version: String) throws {
        let server = try TestServer()
        let client = try TestClient(port: server.port)
        client.send("GET /last HTTP/\(version)\r\nHost: a\r\n\(version == "1.1" ? "Connection: close\r\n" : "")\r\n")
        let text = client.readToEnd()
        #expect(text.hasSuffix("Connection: close\r\n\r\n/last "))
    }

    @Test("the answer to HEAD has no body, and the next answer follows at once")
    func head() throws {
        let server = try TestServer()
        let client = try TestClient(port: server.port)
        client.send("HEAD /h HTTP/1.1\r\nHost: a\r\n\r\n" + get("/next"))
        #expect(try client.readAnswer(isHead: true).has("Content-Length: 3"))
        #expect(try client.readAnswer().body == "/next ")
    }

    @Test("an answer in pieces is chunked, and the connection goes on")
    func streaming() throws {
        let server = try TestServer { _ in
            Response(
                .ok,
                body: .stream { writer in
                    for piece in ["one ", "", "two ", "three"] { await writer.write(Array(piece.utf8)) }
                })
        }
        let client = try TestClient(port: server.port)
        client.send(get("/") + get("/"))
        for _ in 0..<2 {
            let answer = try client.readAnswer()
            #expect(answer.has("Transfer-Encoding: chunked"))
            #expect(answer.body == "one two three")
        }
    }

    @Test("an answer in pieces to HTTP/1.0 ends with the connection")
    func streamingToOld() throws {
        let server = try TestServer { _ in
            Response(.ok, body: .stream { await $0.write(Array("pieces".utf8)) })
        }
        let client = try TestClient(port: server.port)
        client.send("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")
        let text = client.readToEnd()
        #expect(!text.contains("Transfer-Encoding"))
        #expect(text.hasSuffix("Connection: close\r\n\r\npieces"))
    }

    @Test("a service that waits learns that its client has gone")
    func peerGoes() async throws {
        let gone = Mutex<CheckedContinuation<Bool, Never>?>(nil)
        let server = try TestServer { request in
            let signal = Signal()
            request.connection.whenPeerGoes { signal.raise() }
            let isTold = await signal.wait(until: Instant.now() + .seconds(20))
            gone.withLock { $0?.resume(returning: isTold) }
            return Response(.ok)
        }
        let request = get("/")
        let isTold = await withCheckedContinuation { continuation in
            gone.withLock { $0 = continuation }
            // The client goes with the end of this expression.
            _ = Result { try TestClient(port: server.port).send(request) }
        }
        #expect(isTold)
    }

    @Test("a body that fails before it begins sends no byte")
    func failsAtOnce() throws {
        let server = try TestServer { _ in
            Response(.ok, body: .stream { _ throws(IncompleteBodyError) in throw IncompleteBodyError() })
        }
        let client = try TestClient(port: server.port)
        client.send(get("/"))
        #expect(client.readToEnd().isEmpty)
    }

    @Test("a body that fails ends the connection without the body's end", arguments: ["1.0", "1.1"])
    func failsLater(version: String) throws {
        let server = try TestServer { _ in
            Response(
                .ok,
                body: .stream { writer throws(IncompleteBodyError) in
                    await writer.write(Array("begun".utf8))
                    throw IncompleteBodyError()
                })
        }
        let client = try TestClient(port: server.port)
        client.send("GET / HTTP/\(version)\r\nHost: a\r\n\r\n")
        #expect(!client.endsOrderly())
    }

    @Test("a service sees the listener's number, and on a Unix socket the user")
    func unixSocket() throws {
        let directory = try TemporaryDirectory()
        let server = try TestServer(unixSocket: directory.file("s")) { request in
            let connection = request.connection
            let text = "\(connection.listener) \(connection.isSecure) \(connection.peer == .local(uid: getuid()))"
            return Response(.ok, body: .bytes(Array(text.utf8)))
        }
        let client = try TestClient(path: directory.file("s"))
        client.send(get("/"))
        #expect(try client.readAnswer().body == "7 false true")
        withExtendedLifetime(server) {}
    }
}
