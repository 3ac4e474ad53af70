import Testing

@testable import SwitchyardHTTP

@Suite("Refused request heads") struct RequestHeadRefusalTests {
    static let refused: [(String, Int, HTTPError.Reason)] = [
        // The request line.
        ("GET / HTTP/1.1\nHost: a\n\n", 400, .bareLineBreak), ("GET / HTTP/1.1\rHost: a\r\n\r\n", 400, .bareLineBreak),
        ("GET / HTTP/1.1 \r\nHost: a\r\n\r\n", 400, .badVersion),
        ("GET  / HTTP/1.1\r\nHost: a\r\n\r\n", 400, .badTarget),
        ("GET /\r\nHost: a\r\n\r\n", 400, .badTarget), ("GET\r\nHost: a\r\n\r\n", 400, .badRequestLine),
        (" GET / HTTP/1.1\r\nHost: a\r\n\r\n", 400, .badRequestLine), ("GET\t/ HTTP/1.1\r\n\r\n", 400, .badRequestLine),
        ("G\u{0}T / HTTP/1.1\r\nHost: a\r\n\r\n", 400, .badRequestLine),
        ("G@T / HTTP/1.1\r\n\r\n", 400, .badRequestLine),
        ("\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n", 400, .badRequestLine),
        ("\nGET / HTTP/1.1\r\n", 400, .badRequestLine),
        ("\rGET / HTTP/1.1\r\nHost: a\r\n\r\n", 400, .badRequestLine),
        (String(repeating: "M", count: 33) + " / HTTP/1.1\r\n\r\n", 400, .badRequestLine),
        ("GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", 400, .badVersion), ("GET /a#b HTTP/1.1\r\n\r\n", 400, .badTarget),
        ("GET /\u{0} HTTP/1.1\r\nHost: a\r\n\r\n", 400, .badTarget), ("GET /é HTTP/1.1\r\n\r\n", 400, .badTarget),
        ("GET /\u{7F} HTTP/1.1\r\nHost: a\r\n\r\n", 400, .badTarget), ("GET /\t HTTP/1.1\r\n\r\n", 400, .badTarget),
        ("GET / HTTP/2.0\r\nHost: a\r\n\r\n", 505, .unsupportedVersion),
        ("GET / HTTP/0.9\r\n\r\n", 505, .unsupportedVersion),
        ("GET / http/1.1\r\nHost: a\r\n\r\n", 400, .badVersion), ("GET / HTTP/1.1.1\r\n\r\n", 400, .badVersion),
        ("GET / HTTP/1,1\r\nHost: a\r\n\r\n", 400, .badVersion), ("GET / HTTP/11\r\n\r\n", 400, .badVersion),
        ("GET / HTTP/1.x\r\nHost: a\r\n\r\n", 400, .badVersion), ("GET / \r\nHost: a\r\n\r\n", 400, .badVersion),
        // Fields.
        ("GET / HTTP/1.1\r\nHost: a\n\r\n", 400, .bareLineBreak),
        ("GET / HTTP/1.1\r\nHost: a\r\n\n", 400, .bareLineBreak),
        ("GET / HTTP/1.1\r\nHost: a\rX: b\r\n\r\n", 400, .bareLineBreak),
        ("GET / HTTP/1.1\r\nHost: a\r\n\rX", 400, .bareLineBreak),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\n folded\r\n\r\n", 400, .lineFolding),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: 1\r\n\tfolded\r\n\r\n", 400, .lineFolding),
        ("GET / HTTP/1.1\r\n Host: a\r\n\r\n", 400, .lineFolding),
        ("GET / HTTP/1.1\r\nHost : a\r\n\r\n", 400, .badFieldName),
        ("GET / HTTP/1.1\r\nHost\t: a\r\n\r\n", 400, .badFieldName),
        ("GET / HTTP/1.1\r\n: a\r\n\r\n", 400, .badFieldName), ("GET / HTTP/1.1\r\nHost\r\n\r\n", 400, .badFieldName),
        ("GET / HTTP/1.1\r\nHo(st: a\r\n\r\n", 400, .badFieldName),
        ("GET / HTTP/1.1\r\nHôst: a\r\n\r\n", 400, .badFieldName),
        ("GET / HTTP/1.1\r\nHost: a\u{0}b\r\n\r\n", 400, .badFieldValue),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: \u{1}\r\n\r\n", 400, .badFieldValue),
        ("GET / HTTP/1.1\r\nHost: a\r\nX: \u{7F}\r\n\r\n", 400, .badFieldValue),
        // Host.
        ("GET / HTTP/1.1\r\n\r\n", 400, .missingHost), ("GET http://a/ HTTP/1.1\r\n\r\n", 400, .missingHost),
        ("GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n", 400, .repeatedHost),
        ("GET / HTTP/1.0\r\nHost: a\r\nhOST: b\r\n\r\n", 400, .repeatedHost),
        ("GET / HTTP/1.1\r\nHost: a b\r\n\r\n", 400, .badHost), ("GET / HTTP/1.1\r\nHost: a, b\r\n\r\n", 400, .badHost),
        ("GET / HTTP/1.1\r\nHost: u@a\r\n\r\n", 400, .badHost),
        ("GET / HTTP/1.1\r\nHost: a:99999\r\n\r\n", 400, .badHost),
        ("GET / HTTP/1.0\r\nHost: a/b\r\n\r\n", 400, .badHost),
        ("GET / HTTP/1.1\r\nHost: http://a\r\n\r\n", 400, .badHost),
        // The target's form.
        ("GET http://b/ HTTP/1.1\r\nHost: a\r\n\r\n", 400, .hostMismatch),
        ("GET http://a:81/ HTTP/1.1\r\nHost: a\r\n\r\n", 400, .hostMismatch),
        ("GET https://a/ HTTP/1.1\r\nHost: a:444\r\n\r\n", 400, .hostMismatch),
        ("GET ftp://a/ HTTP/1.1\r\nHost: a\r\n\r\n", 400, .badTarget),
        ("GET a HTTP/1.1\r\nHost: a\r\n\r\n", 400, .badTarget),
        ("GET http://u@a/ HTTP/1.1\r\nHost: a\r\n\r\n", 400, .badTarget),
        ("GET http:///x HTTP/1.1\r\nHost: a\r\n\r\n", 400, .badTarget),
        ("GET * HTTP/1.1\r\nHost: a\r\n\r\n", 400, .badTarget),
        ("CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n", 400, .badTarget),
        ("OPTIONS ** HTTP/1.1\r\nHost: a\r\n\r\n", 400, .badTarget),
        // How the content is delimited.
        (content("Content-Length: 1\r\nContent-Length: 1"), 400, .repeatedContentLength),
        (content("Content-Length: 1, 1"), 400, .badContentLength),
        (content("Content-Length: "), 400, .badContentLength),
        (content("Content-Length: +1"), 400, .badContentLength),
        (content("Content-Length: -1"), 400, .badContentLength),
        (content("Content-Length: 0x1"), 400, .badContentLength),
        (content("Content-Length: 1 1"), 400, .badContentLength),
        (content("Content-Length: 9999999999999"), 413, .bodyTooLarge),
        (content("Content-Length: 99999999999999999999999"), 413, .bodyTooLarge),
        (content("Content-Length: 1\r\nTransfer-Encoding: chunked"), 400, .lengthAndEncoding),
        (content("Transfer-Encoding: chunked\r\nContent-Length: 0"), 400, .lengthAndEncoding),
        (content("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"), 400, .unsupportedEncoding),
        (content("Transfer-Encoding: gzip, chunked"), 501, .unsupportedEncoding),
        (content("Transfer-Encoding: identity"), 501, .unsupportedEncoding),
        (content("Transfer-Encoding: chunked, chunked"), 501, .unsupportedEncoding),
        (content("Transfer-Encoding: xchunked"), 501, .unsupportedEncoding),
        (content("Transfer-Encoding: "), 501, .unsupportedEncoding),
        ("POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400, .unsupportedEncoding),
        (content("Expect: 200-ok"), 417, .badExpectation),
    ]

    private static func content(_ fields: String) -> String {
        "POST / HTTP/1.1\r\nHost: a\r\n\(fields)\r\n\r\n"
    }

    @Test("a head that is not exactly right is refused, whole and byte by byte alike", arguments: refused)
    func refusal(head: String, status: Int, reason: HTTPError.Reason) async throws {
        var request = try await TestContext.request()
        #expect(ParsedHead.whole(Array(head.utf8), into: &request) == .refused(status, reason))
        #expect(ParsedHead.byteByByte(Array(head.utf8), into: &request) == .refused(status, reason))
    }

    @Test("no byte but visible ASCII may stand in a method or target, and none but field content in a value")
    func everyByte() async throws {
        var request = try await TestContext.request()
        for byte in UInt8.min...UInt8.max {
            let value = Array("GET / HTTP/1.1\r\nHost: a\r\nX: y".utf8) + [byte] + Array("z\r\n\r\n".utf8)
            let isContent = byte == 9 || (byte >= 0x20 && byte != 0x7F)
            #expect(Self.isRequest(ParsedHead.whole(value, into: &request)) == isContent, "byte \(byte) in a value")
            let target = Array("GET /y".utf8) + [byte] + Array("z HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
            let isTarget = byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "#")
            #expect(Self.isRequest(ParsedHead.whole(target, into: &request)) == isTarget, "byte \(byte) in a target")
            let name = Array("GET / HTTP/1.1\r\nHost: a\r\nX".utf8) + [byte] + Array("y: z\r\n\r\n".utf8)
            let isName = ByteClass.isToken(byte) || byte == UInt8(ascii: ":")
            #expect(Self.isRequest(ParsedHead.whole(name, into: &request)) == isName, "byte \(byte) in a name")
        }
    }

    private static func isRequest(_ head: ParsedHead) -> Bool {
        if case .request = head { true } else { false }
    }
}
