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
        let (index, forTool) = try CallbackSieve.take(request, among: &signIns)
        #expect(index == 0 && signIns[0].phase == .delivering)
        #expect(!forTool.isPost && forTool.target == "/cb?state=s1&code=a%2Fb+c&x=%41")
        #expect(
            forTool.fields.map { "\($0.0): \($0.1)" } == [
                "Host: localhost:8400", "Connection: close", "Accept-Encoding: ", "User-Agent: B",
                "Sec-Fetch-Mode: navigate",
            ])
    }

    @Test("a field that libcurl would take for two, or that is no text, stays away")
    func oddFields() throws {
        var signIns = [try Self.signIn()]
        _ = signIns[0].goOn()
        let request = ArrivedRequest(
            method: "GET", authority: "localhost:8400", path: "/cb", query: Array("code=c&state=s1".utf8),
            fields: [("A", Array("x\ty".utf8)), ("B", [0xFF]), ("C", []), ("D", Array("é".utf8))], body: [],
            isPrefetch: false, isNavigation: true)
        let fields = try CallbackSieve.take(request, among: &signIns).forTool.fields
        #expect(fields.dropFirst(3).map(\.0) == ["D"])
    }

    @Test("a form goes to the tool byte for byte")
    func form() throws {
        var signIns = [try Self.signIn()]
        _ = signIns[0].goOn()
        let request = Self.request(
            "POST", "/cb", [("Content-Type", "application/x-www-form-urlencoded; charset=utf-8")],
            body: "code=%41&state=s1")
        let forTool = try CallbackSieve.take(request, among: &signIns).forTool
        #expect(forTool.isPost && forTool.target == "/cb" && forTool.body == Array("code=%41&state=s1".utf8))
    }

    @Test("only the person's browser at the redirect URI, with the state, reaches the tool")
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

    @Test("a callback before the person's consent, and a second one, are refused")
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
        #expect(try CallbackSieve.take(Self.request("GET", "/cb?state=b"), among: &signIns).index == 1)
        #expect(try CallbackSieve.take(Self.request("GET", "/cb?state=a"), among: &signIns).index == 0)
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

    // MARK: The tool's answers

    /// - Parameter head: a status, and the lines of the header.
    private static func response(_ head: String, body: String = "") -> ToolResponse {
        let lines = head.split(separator: "\r\n")
        var fields: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            let name = parts[0].lowercased()
            let value = parts.count > 1 ? String(parts[1].drop { $0 == " " }) : ""
            fields[name] = fields[name].map { "\($0), \(value)" } ?? value
        }
        return ToolResponse(status: Int(lines[0].prefix(3)) ?? 0, fields: fields, body: Array(body.utf8))
    }

    private static func sieved(_ head: String) throws -> SievedResponse? {
        ResponseSieve.sieve(response(head), from: try signIn().address)
    }

    @Test("the browser gets only the header fields that a tool's page needs")
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
                "Content-Type: text/html", "X-Content-Type-Options: nosniff",
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
        let response = response("200 OK\r\n\(fields)", body: body)
        let sieved = try #require(ResponseSieve.sieve(response, from: try signIn().address))
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
