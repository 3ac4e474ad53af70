import Testing

@testable import SwitchyardHTTP

@Suite("Response") struct ResponseTests {
    private func encode(
        _ response: Response, keeps: Bool = true, isHead: Bool = false,
        streaming: ResponseEncoder.Streaming = .chunked
    ) -> String {
        let date = Array("Date: now\r\n".utf8)
        let bytes = ResponseEncoder.encode(
            response, date: date, keepsConnection: keeps, isHead: isHead, streaming: streaming)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(
        "a value cannot bring a line break, nor any other control character, into the head",
        arguments: [
            ("a\r\nSet-Cookie: x", "aSet-Cookie: x"), ("a\nb", "ab"), ("a\rb", "ab"), ("a\u{0}b\u{7F}\u{1B}", "ab"),
            ("a\tb c", "a\tb c"), ("é", "é"), ("", ""),
        ])
    func fieldSafety(value: String, written: String) {
        var response = Response(.ok)
        response.add("X", value)
        response.add("Y", Array(value.utf8))
        #expect(
            encode(response)
                == "HTTP/1.1 200 OK\r\nDate: now\r\nX: \(written)\r\nY: \(written)\r\n"
                + "Content-Length: 0\r\nConnection: keep-alive\r\n\r\n")
    }

    @Test(
        "an answer has its length and says whether the connection stays",
        arguments: [(true, "keep-alive"), (false, "close")])
    func wholeAnswer(keeps: Bool, connection: String) {
        var response = Response(.notFound, body: .bytes(Array("0123456789".utf8)))
        response.add(lines: "A: b\r\n")
        #expect(
            encode(response, keeps: keeps)
                == "HTTP/1.1 404 Not Found\r\nDate: now\r\nA: b\r\nContent-Length: 10\r\n"
                + "Connection: \(connection)\r\n\r\n0123456789")
    }

    @Test("the answer to HEAD has the length of the body, and no body")
    func head() {
        let text = encode(Response(.ok, body: .bytes(Array("abc".utf8))), isHead: true)
        #expect(text.contains("Content-Length: 3\r\n"))
        #expect(text.hasSuffix("\r\n\r\n"))
    }

    @Test("a 204 has neither a length nor a body")
    func noContent() {
        let text = encode(Response(.noContent, body: .bytes([1, 2, 3])))
        #expect(text == "HTTP/1.1 204 No Content\r\nDate: now\r\nConnection: keep-alive\r\n\r\n")
    }

    @Test("a streamed answer is chunked, or ends with the connection")
    func streamed() {
        let response = Response(.ok, body: .stream { _ in })
        #expect(
            encode(response)
                == "HTTP/1.1 200 OK\r\nDate: now\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n")
        #expect(
            encode(response, keeps: false, streaming: .untilClose)
                == "HTTP/1.1 200 OK\r\nDate: now\r\nConnection: close\r\n\r\n")
    }
}

@Suite("HTTP date") struct HTTPDateTests {
    @Test(
        "dates are written as RFC 9110 wants them",
        arguments: [
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"), (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (951_782_399, "Mon, 28 Feb 2000 23:59:59 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (951_868_800, "Wed, 01 Mar 2000 00:00:00 GMT"), (1_709_164_800, "Thu, 29 Feb 2024 00:00:00 GMT"),
            (1_795_230_000, "Sat, 21 Nov 2026 03:00:00 GMT"), (1_798_761_599, "Thu, 31 Dec 2026 23:59:59 GMT"),
            (1_798_761_600, "Fri, 01 Jan 2027 00:00:00 GMT"), (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
        ] as [(Int64, String)])
    func format(seconds: Int64, text: String) {
        #expect(HTTPDate.format(seconds) == text)
    }

    @Test(
        "time stamps have milliseconds",
        arguments: [
            (0, "1970-01-01T00:00:00.000Z"), (1_795_230_000_007, "2026-11-21T03:00:00.007Z"),
            (951_825_599_999, "2000-02-29T11:59:59.999Z"),
        ] as [(Int64, String)])
    func rfc3339(milliseconds: Int64, text: String) {
        #expect(HTTPDate.rfc3339(milliseconds) == text)
    }
}
