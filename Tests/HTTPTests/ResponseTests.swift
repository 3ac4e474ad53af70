import SwitchyardReactor
import SwitchyardText
import Testing

@testable import SwitchyardHTTP

@Suite("Response") struct ResponseTests {
    private func encode(
        _ response: Response, keeps: Bool = true, isHead: Bool = false,
        isChunked: Bool = true
    ) -> String {
        var bytes: [UInt8] = []
        ResponseEncoder(clock: { WallTime(milliseconds: 0) }).encode(
            response, at: .now(), keepsConnection: keeps, isHead: isHead, isChunked: isChunked, into: &bytes)
        return String(decoding: bytes, as: UTF8.self).replacing("Thu, 01 Jan 1970 00:00:00 GMT", with: "now")
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
        response.fields.add("Z", Array(value.utf8), Array(value.utf8)[...])
        #expect(
            encode(response)
                == "HTTP/1.1 200 OK\r\nDate: now\r\nX: \(written)\r\nY: \(written)\r\n"
                + "Z: \(written)\(written)\r\n"
                + "Content-Length: 0\r\nConnection: keep-alive\r\n\r\n")
    }

    @Test(
        "an answer has its length and says whether the connection stays",
        arguments: [(true, "keep-alive"), (false, "close")])
    func wholeAnswer(keeps: Bool, connection: String) {
        var response = Response(.notFound, body: .bytes(Array("0123456789".utf8)))
        response.fields.add(["A": "b"])
        #expect(
            encode(response, keeps: keeps)
                == "HTTP/1.1 404 Not Found\r\nDate: now\r\nA: b\r\nContent-Length: 10\r\n"
                + "Connection: \(connection)\r\n\r\n0123456789")
    }

    @Test("fields stand in the order in which they were added, one by one or many at once")
    func fieldOrder() {
        var response = Response(.ok)
        response.fields.add(["A": "1", "B": "2"])
        response.add("C", "3")
        response.fields.add(["D": "4"])
        #expect(
            encode(response)
                == "HTTP/1.1 200 OK\r\nDate: now\r\nA: 1\r\nB: 2\r\nC: 3\r\nD: 4\r\nContent-Length: 0\r\n"
                + "Connection: keep-alive\r\n\r\n")
        #expect(response.fields["c"] == "3" && response.fields["d"] == "4")
    }

    @Test("the date of an answer is that of its second")
    func date() {
        let clock = ManualClock()
        let encoder = ResponseEncoder(clock: { WallTime(milliseconds: clock.milliseconds) })
        func text(at nanoseconds: UInt64) -> String {
            var bytes: [UInt8] = []
            encoder.encode(
                Response(.ok), at: Instant(nanoseconds: nanoseconds), keepsConnection: true, isHead: false,
                isChunked: true, into: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        }
        clock.milliseconds = 1_795_230_000_900
        #expect(text(at: 0).contains("Date: Sat, 21 Nov 2026 03:00:00 GMT"))
        clock.milliseconds += 200
        #expect(text(at: 200_000_000).contains("Date: Sat, 21 Nov 2026 03:00:01 GMT"))
    }

    private final class ManualClock {
        var milliseconds: Int64 = 0
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
            encode(response, keeps: false, isChunked: false)
                == "HTTP/1.1 200 OK\r\nDate: now\r\nConnection: close\r\n\r\n")
    }
}
