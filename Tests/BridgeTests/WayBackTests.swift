import Testing

@testable import SwitchyardBridge

@Suite("The way back of a bridged sign-in") struct WayBackTests {
    private static func signIn(_ redirect: String = "http://localhost:8400/cb", state: String = "s1") throws
        -> BridgedSignIn
    {
        let text =
            "https://login.contoso.com/authorize?response_type=code&client_id=app&state=\(state)&redirect_uri=\(redirect)"
        guard case .signIn(let address) = AddressJudge.judge(text) else {
            throw SieveRefusal.state
        }
        return BridgedSignIn(address)
    }

    private static func request(
        _ method: String = "GET", _ target: String = "/cb?code=c&state=s1", host: String = "localhost:8400",
        _ fields: [(String, String)] = [], body: String = "", isPrefetch: Bool = false,
        isNavigation: Bool = true
    ) -> ArrivedRequest {
        let parts = target.split(separator: "?", maxSplits: 1)
        return ArrivedRequest(
            method: method, authority: host, path: String(parts[0]),
            query: parts.count > 1 ? Array(parts[1].utf8) : nil,
            fields: fields.map { ($0.0, Array($0.1.utf8)) }, body: Array(body.utf8), isPrefetch: isPrefetch,
            isNavigation: isNavigation)
    }

    private static func outcome(_ request: ArrivedRequest, goesOn: Bool = true) throws -> SieveRefusal? {
        var signIns = [try signIn()]
        if goesOn { _ = signIns[0].goOn() }
        do throws(SieveRefusal) {
            _ = try CallbackSieve.take(request, among: &signIns)
            return nil
        } catch {
            #expect(signIns[0].phase == (goesOn ? .going : .offered), "what is refused changes nothing")
            return error
        }
    }

    @Test("the callback goes to the tool byte for byte, without cookies and credentials")
    func callback() throws {
        var signIns = [try Self.signIn()]
        _ = signIns[0].goOn()
        let request = Self.request(
            "GET", "/cb?state=s1&code=a%2Fb+c&x=%41",
            [("Cookie", "a=b"), ("Authorization", "Basic x"), ("User-Agent", "B"), ("Sec-Fetch-Mode", "navigate")])
        let (place, bytes) = try CallbackSieve.take(request, among: &signIns)
        #expect(place == 0 && signIns[0].phase == .delivering)
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(
            text.hasPrefix(
                "GET /cb?state=s1&code=a%2Fb+c&x=%41 HTTP/1.1\r\nHost: localhost:8400\r\nConnection: close\r\n"))
        #expect(text.contains("User-Agent: B\r\n") && !text.contains("Cookie") && !text.contains("Authorization"))
    }

    @Test("a form goes to the tool byte for byte")
    func form() throws {
        var signIns = [try Self.signIn()]
        _ = signIns[0].goOn()
        let request = Self.request(
            "POST", "/cb", [("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")],
            body: "code=%41&state=s1")
        let bytes = try CallbackSieve.take(request, among: &signIns).forTool
        let text = String(decoding: bytes, as: UTF8.self)
        #expect(text.hasPrefix("POST /cb HTTP/1.1\r\n") && text.hasSuffix("\r\n\r\ncode=%41&state=s1"))
        #expect(text.contains("Content-Length: 17\r\n"))
    }

    @Test("what is not the person's browser at the redirect URI with the state goes nowhere")
    func refusals() throws {
        let cases: [(ArrivedRequest, SieveRefusal)] = [
            (Self.request(host: "evil.example:8400"), .foreignHost),
            (Self.request(host: "127.0.0.1:8400"), .foreignHost),
            (Self.request(host: "localhost"), .foreignHost),
            (Self.request("GET", "/favicon.ico"), .unknownPath),
            (Self.request("GET", "/cb/?code=c&state=s1"), .unknownPath),
            (Self.request("HEAD"), .method), (Self.request("OPTIONS"), .method), (Self.request("PUT"), .method),
            (Self.request(isPrefetch: true), .prefetch),
            (Self.request(isNavigation: false), .notNavigation),
            (Self.request("GET", "/cb?code=c"), .state), (Self.request("GET", "/cb?code=c&state=s2"), .state),
            (Self.request("GET", "/cb?code=c&state=s1&state=s1"), .state),
            (Self.request("POST", "/cb?state=s1", body: "state=s1"), .mediaType),
            (
                Self.request(
                    "POST", "/cb?state=s1", [("Content-Type", "application/x-www-form-urlencoded")], body: "code=c"),
                .state
            ),
        ]
        for (request, refusal) in cases { #expect(try Self.outcome(request) == refusal) }
    }

    @Test("before the person has gone on, and a second time, nothing is taken")
    func once() throws {
        #expect(try Self.outcome(Self.request(), goesOn: false) == .notAskedFor)
        var signIns = [try Self.signIn()]
        _ = signIns[0].goOn()
        _ = try CallbackSieve.take(Self.request(), among: &signIns)
        #expect(throws: SieveRefusal.repeated) { try CallbackSieve.take(Self.request(), among: &signIns) }
    }

    @Test("two sign-ins at one port are told apart by their states")
    func two() throws {
        var signIns = [try Self.signIn(state: "a"), try Self.signIn(state: "b")]
        for index in signIns.indices { _ = signIns[index].goOn() }
        #expect(try CallbackSieve.take(Self.request("GET", "/cb?state=b"), among: &signIns).place == 1)
        #expect(try CallbackSieve.take(Self.request("GET", "/cb?state=a"), among: &signIns).place == 0)
    }

    @Test("a tool's own page is followed once, by GET, and nothing else of the tool")
    func page() throws {
        var signIns = [try Self.signIn()]
        _ = signIns[0].goOn()
        _ = try CallbackSieve.take(Self.request(), among: &signIns)
        signIns[0].answered(sendingTo: "/done?x=1")
        #expect(throws: SieveRefusal.unknownPath) {
            try CallbackSieve.take(Self.request("GET", "/done"), among: &signIns)
        }
        #expect(throws: SieveRefusal.method) {
            try CallbackSieve.take(Self.request("POST", "/done?x=1"), among: &signIns)
        }
        _ = try CallbackSieve.take(Self.request("GET", "/done?x=1"), among: &signIns)
        signIns[0].answered(sendingTo: "/more")
        #expect(signIns[0].phase == .over(.delivered))
    }

    // MARK: What the tool answers

    private static func read(_ text: String, cutting size: Int = .max) throws -> ToolResponse {
        var reader = ToolResponseReader()
        var rest = Array(text.utf8)[...]
        while !rest.isEmpty {
            if let answer = try reader.take(rest.prefix(size)) { return answer }
            rest = rest.dropFirst(size)
        }
        return try reader.end()
    }

    @Test("answers are read, however they are cut", arguments: [1, 2, 7, Int.max])
    func answers(size: Int) throws {
        let length = try Self.read("HTTP/1.0 200 OK\r\nContent-Length: 2\r\nX: y \r\n\r\nhi", cutting: size)
        #expect(length.status == 200 && length.body == Array("hi".utf8) && length.values("x") == ["y"])
        let ended = try Self.read("HTTP/1.1 404 \r\n\r\nall of it", cutting: size)
        #expect(ended.status == 404 && ended.body == Array("all of it".utf8))
        let chunked = try Self.read(
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n", cutting: size)
        #expect(chunked.body == Array("abcde".utf8))
        let interim = try Self.read("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No\r\n\r\n", cutting: size)
        #expect(interim.status == 204 && interim.body.isEmpty)
    }

    @Test("an answer that comes byte by byte is read once, not once more with each byte")
    func pieces() throws {
        let body = String(repeating: "1\r\na\r\n", count: 60_000)
        let answer = try Self.read(
            String(repeating: "HTTP/1.1 102 Wait\r\n\r\n", count: 1000)
                + "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
                + body + "0\r\n\r\n", cutting: 1)
        #expect(answer.body.count == 60_000)
        #expect(throws: ToolResponseError.tooLarge) {
            try Self.read(String(repeating: "HTTP/1.1 102 Wait\r\n\r\n", count: 4000), cutting: 7)
        }
    }

    @Test(
        "what is no answer is none",
        arguments: [
            "", "hello", "HTTP/2 200\r\n\r\n", "HTTP/1.1 20\r\n\r\n", "HTTP/1.1 200 OK\r\n X: y\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhi",
            "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nhi",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n", "HTTP/1.1 101 Switching\r\n\r\n",
            "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: 99999999\r\n\r\n",
        ])
    func malformed(text: String) {
        #expect(throws: ToolResponseError.self) { try Self.read(text) }
    }

    private static func sieved(_ head: String) throws -> SievedResponse? {
        ResponseSieve.sieve(try read("HTTP/1.1 \(head)\r\nContent-Length: 0\r\n\r\n"), from: try signIn().address)
    }

    @Test("of a tool's fields the browser gets what its page needs to be read, and nothing else")
    func sieve() throws {
        let answer = try #require(
            try Self.sieved(
                "200 OK\r\nSet-Cookie: a=b\r\nclear-site-data: \"*\"\r\nService-Worker-Allowed: /\r\nRefresh: 0\r\n"
                    + "Content-Security-Policy: default-src 'self'; report-uri //a.example\r\nContent-Type: text/html\r\n"
                    + "Cache-Control: max-age=31536000\r\nETag: \"1\"\r\nContent-Disposition: attachment\r\n"
                    + "Content-Encoding: GZIP\r\nContent-Security-Policy-Report-Only: report-uri //a.example\r\n"
                    + "Document-Policy: js-profiling\r\nTomorrows-Field: 1\r\nContent-Location: /a\r\nVary: *"))
        #expect(
            answer.fields.map { "\($0.name): \(String(decoding: $0.value, as: UTF8.self))" } == [
                "Content-Type: text/html", "Content-Encoding: gzip", "X-Content-Type-Options: nosniff",
                "Content-Security-Policy: sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; "
                    + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
                "Referrer-Policy: no-referrer", "Cache-Control: no-store",
            ])
    }

    @Test(
        "an answer is one page of text, whatever it says it is",
        arguments: [
            ("text/html", "text/html"), ("Text/HTML ; Charset=\"UTF-8\"; x=y", "text/html; charset=utf-8"),
            ("application/json;charset=a b", "application/json"),
            ("multipart/x-mixed-replace; boundary=a", "text/plain"), ("image/svg+xml", "text/plain"),
            ("text/html,multipart/x-mixed-replace;boundary=a", "text/plain"),
            ("text/xml; charset=utf-16", "text/plain; charset=utf-16"), ("", "text/plain"),
        ])
    func contentType(said: String, shown: String) throws {
        #expect(try Self.contentType("Content-Type: \(said)", "hello") == shown)
    }

    @Test("a tool that does not say what it answers is taken at its first letter")
    func noContentType() throws {
        #expect(try Self.contentType("X: y", "\n <!doctype html>") == "text/html")
        #expect(try Self.contentType("X: y", "done; <close> this") == "text/plain")
        // Browsers go by the last, programs by the first: only one is there to go by.
        let two = "Content-Type: text/plain\r\nContent-Type: multipart/x-mixed-replace; boundary=a"
        #expect(try Self.contentType(two, "<p>") == "text/plain")
    }

    private static func contentType(_ fields: String, _ body: String) throws -> String? {
        let answer = try read("HTTP/1.1 200 OK\r\n\(fields)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")
        let sieved = try #require(ResponseSieve.sieve(answer, from: try signIn().address))
        let types = sieved.fields.filter { $0.name == "Content-Type" }
        return types.count == 1 ? String(decoding: types[0].value, as: UTF8.self) : nil
    }

    @Test(
        "a tool sends the browser to itself or to the web, by GET",
        arguments: [
            ("/done", "http://localhost:8400/done", "/done"), ("done?x", "http://localhost:8400/done?x", "/done?x"),
            ("http://localhost:8400", "http://localhost:8400/", "/"), ("?ok", "http://localhost:8400/cb?ok", "/cb?ok"),
            ("/done#part", "http://localhost:8400/done#part", "/done"),
            ("http://127.0.0.1:8400/done", "http://localhost:8400/done", "/done"),
            ("http://[::1]:8400#part", "http://localhost:8400/#part", "/"),
            ("https://cloud.google.com/sdk/auth_success", "https://cloud.google.com/sdk/auth_success", nil),
        ] as [(String, String, String?)])
    func location(given: String, shown: String, page: String?) throws {
        let answer = try #require(try Self.sieved("302 Found\r\nLocation: \(given)"))
        #expect(answer.status == 303 && answer.nextPage == page)
        let locations = answer.fields.filter { $0.name == "Location" }.map { String(decoding: $0.value, as: UTF8.self) }
        #expect(locations == [shown])
    }

    @Test(
        "a tool sends the browser nowhere else",
        arguments: [
            "http://localhost:8401/", "http://127.0.0.2:8400/", "http://192.168.1.1/", "//evil.example/",
            "https://login.contoso.com/authorize?response_type=code&client_id=b&state=s2&redirect_uri=http://localhost:8400/cb",
            "https://login.contoso.com/authorize?client_id=b&request_uri=urn:x",
            "javascript:alert(1)",
            "msauth.app://auth", "/a/../b", "/a/%2e%2e/b", "http://localhost:84000/",
            "http://localhost:8400@evil.example/",
            "/a b", "file:///etc/passwd", "",
            // Services of this machine and of its network.
            "https://127.0.0.1:8443/", "https://localhost/", "https://app.localhost/", "https://[::1]/",
            "https://[::1]:8443/",
            "https://192.168.1.1/", "https://10.0.0.1/", "https://172.16.0.1/", "https://169.254.169.254/latest/",
            "https://0.0.0.0/", "https://100.64.0.1/", "https://224.0.0.251/", "https://router.local/",
            "https://router/",
            "https://metadata.google.internal/", "https://2130706433/", "https://0x7f.1/", "https://017700000001/",
            "https://[::ffff:127.0.0.1]/", "https://[::ffff:7f00:1]/", "https://[fe80::1]/", "https://[fc00::1]/",
            "HTTPS://LOCALHOST/", "https://localhost./", "https://127.0.0.1#x", "https://127.0.0.1?x",
            // A second sign-in, for issuers that separate or spell in their own way.
            "https://login.contoso.com/authorize?x;response_type=code;client_id=b",
            "https://login.contoso.com/authorize?response.type=code&client.id=b",
            "https://login.contoso.com/authorize?x=%zz&response_type=code&client_id=b",
        ])
    func refusedLocation(given: String) throws {
        #expect(try Self.sieved("302 Found\r\nLocation: \(given)") == nil)
    }
}
