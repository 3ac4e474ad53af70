import Testing

@testable import SwitchyardHTTP

@Suite("Accepted request heads") struct RequestHeadTests {
    /// Parses a head that has to be right.
    private func parse(_ head: String) async throws -> Request {
        var request = try await TestContext.request()
        #expect(ParsedHead.whole(Array(head.utf8), into: &request) == .request(length: head.utf8.count))
        return request
    }

    private func framing(_ head: String) async throws -> RequestFraming {
        var request = try await TestContext.request()
        var parser = RequestHeadParser(limits: HTTPLimits())
        return try #require(try parser.parse(Array(head.utf8), count: head.utf8.count, into: &request))
    }

    @Test(
        "heads that are right are read, whole and byte by byte alike, up to their last byte and no further",
        arguments: [
            "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.0\r\n\r\n",
            "GET / HTTP/1.9\r\nHost: a\r\n\r\n", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET http://a/b?c HTTP/1.1\r\nHost: a\r\n\r\n", "BREW / HTTP/1.1\r\nHost: a\r\n\r\n",
            "GET /{|}\\^`\"<> HTTP/1.1\r\nHost: a\r\n\r\n", "GET / HTTP/1.1\r\nHost:a\r\nX:\r\nY: é\tz \t\r\n\r\n",
            "GET / HTTP/1.1\r\nHost: a\r\n!#$%&'*+-.^_`|~09azAZ: x\r\n\r\n",
        ])
    func accepted(head: String) async throws {
        let bytes = Array((head + "GET /next").utf8)
        var whole = try await TestContext.request()
        var slow = whole
        #expect(ParsedHead.whole(bytes, into: &whole) == .request(length: head.utf8.count))
        #expect(ParsedHead.byteByByte(bytes, into: &slow) == .request(length: head.utf8.count))
        #expect(whole.method == slow.method)
        #expect(whole.pathBytes == slow.pathBytes)
        #expect(whole.queryBytes == slow.queryBytes)
        #expect(whole.authority == slow.authority)
    }

    @Test("a head that has not ended yet is no error, at any of its bytes")
    func incomplete() async throws {
        var request = try await TestContext.request()
        let bytes = Array("\r\nPOST /a?b HTTP/1.1\r\nHost: a:8443\r\nContent-Length: 3\r\nX:\r\n\r\n".utf8)
        for count in 0..<bytes.count {
            #expect(ParsedHead.whole(Array(bytes[..<count]), into: &request) == .incomplete, "\(count) bytes")
        }
    }

    @Test(
        "path and query stay byte for byte as they came",
        arguments: [
            ("/", "/", nil), ("/a/b", "/a/b", nil), ("/a?", "/a", ""), ("/a?b=c&d", "/a", "b=c&d"),
            ("/a?b?c", "/a", "b?c"),
            ("/%2Fa%00?%ff", "/%2Fa%00", "%ff"), ("/a//b/../c/.", "/a//b/../c/.", nil), ("//a", "//a", nil),
            ("http://host/x?y", "/x", "y"), ("HTTPS://HOST/x", "/x", nil), ("http://host//x", "//x", nil),
        ] as [(String, String, String?)])
    func target(target: String, path: String, query: String?) async throws {
        let request = try await parse("GET \(target) HTTP/1.1\r\nHost: host\r\n\r\n")
        #expect(request.pathText == path)
        #expect(request.queryBytes.map { String(decoding: $0, as: UTF8.self) } == query)
        #expect(request.authority.map { String(decoding: $0.host, as: UTF8.self) } == "host")
    }

    @Test(
        "methods are case-sensitive",
        arguments: [
            ("GET", .get), ("HEAD", .head), ("POST", .post), ("PUT", .put), ("DELETE", .delete), ("PATCH", .patch),
            ("OPTIONS", .options), ("TRACE", .trace), ("get", .other), ("GETS", .other), ("BREW", .other),
        ] as [(String, Request.Method)])
    func method(text: String, method: Request.Method) async throws {
        #expect(try await parse("\(text) / HTTP/1.1\r\nHost: a\r\n\r\n").method == method)
    }

    @Test("fields are found whatever their case, without the white space around their values")
    func fields() async throws {
        let request = try await parse("GET / HTTP/1.1\r\nHOST: a\r\nx-a: \t 1 \r\nX-A:2\r\nX-AB: 3\r\nEmpty:\r\n\r\n")
        #expect(request.field("x-a") == "1, 2")
        #expect(request.fieldValues("x-a") == ["1", "2"])
        #expect(request.field("x-ab") == "3")
        #expect(request.field("empty") == "")
        #expect(request.hasField("empty"))
        #expect(request.field("x") == nil)
        #expect(!request.hasField("x-abc"))
    }

    @Test(
        "how the content is delimited",
        arguments: [
            ("", .none), ("Content-Length: 0", .none), ("Content-Length: 5", .length(5)),
            ("Content-Length: 0005", .length(5)), ("content-length:5", .length(5)),
            ("Content-Length: 999999999999", .length(999_999_999_999)), ("Transfer-Encoding: Chunked", .chunked),
        ] as [(String, RequestFraming.Content)])
    func content(field: String, content: RequestFraming.Content) async throws {
        let line = field.isEmpty ? "" : field + "\r\n"
        #expect(try await framing("POST / HTTP/1.1\r\nHost: a\r\n\(line)\r\n").content == content)
    }

    @Test(
        "a connection stays open by the version's default, unless Connection says otherwise",
        arguments: [
            ("1.1", "", false), ("1.1", "close", true), ("1.1", "Keep-Alive, CLOSE", true), ("1.1", "closed", false),
            ("1.0", "", true), ("1.0", "keep-alive", false), ("1.0", "x ,\tKeep-Alive", false), ("1.0", "close", true),
        ])
    func persistence(version: String, connection: String, closes: Bool) async throws {
        let field = connection.isEmpty ? "" : "Connection: \(connection)\r\n"
        #expect(try await framing("GET / HTTP/\(version)\r\nHost: a\r\n\(field)\r\n").wantsClose == closes)
    }

    @Test("an expectation of 100-continue counts, but not in HTTP/1.0", arguments: [("1.1", true), ("1.0", false)])
    func expectation(version: String, expects: Bool) async throws {
        let framing = try await framing("POST / HTTP/\(version)\r\nHost: a\r\nExpect: 100-Continue\r\n\r\n")
        #expect(framing.expectsContinue == expects)
    }

    @Test("HTTP/1.0 may come without Host, and then has no authority")
    func noHost() async throws {
        let request = try await parse("GET / HTTP/1.0\r\n\r\n")
        #expect(request.authority == nil)
        let absolute = try await parse("GET http://a:8080/ HTTP/1.0\r\n\r\n")
        #expect(absolute.authority?.port == 8080)
    }
}
