import Testing

@testable import SwitchyardHTTP

@Suite("Chunked decoder") struct ChunkedDecoderTests {
    /// The result of decoding a chunked body.
    private enum Outcome: Equatable {
        case body(String, used: Int)
        case incomplete
        case refused(Int, HTTPError.Reason)
    }

    private func decode(_ bytes: [UInt8], in step: Int, maximum: Int = 100) -> Outcome {
        var limits = HTTPLimits()
        limits.bodyBytes = maximum
        limits.headerFields = 3
        limits.headerBytes = 4096
        var decoder = ChunkedDecoder(limits: limits)
        var body: [UInt8] = []
        var used = 0
        do throws(HTTPError) {
            while used < bytes.count, !decoder.isDone {
                used += try decoder.decode(bytes[used..<min(bytes.count, used + step)], into: &body)
            }
            return decoder.isDone ? .body(String(decoding: body, as: UTF8.self), used: used) : .incomplete
        } catch {
            return .refused(error.status.code, error.reason)
        }
    }

    @Test(
        "chunks are put together, and what follows the last one is left alone",
        arguments: [
            ("0\r\n\r\n", ""), ("3\r\nabc\r\n0\r\n\r\n", "abc"), ("3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n", "abcde"),
            ("A\r\n0123456789\r\n00\r\n\r\n", "0123456789"), ("a\r\n0123456789\r\n0\r\n\r\n", "0123456789"),
            ("00000003\r\nabc\r\n0\r\n\r\n", "abc"), ("0000000000000003\r\nabc\r\n000000000\r\n\r\n", "abc"),
            ("3 ;x\r\nabc\r\n0\t \t;e = f\r\n\r\n", "abc"), ("3;x=y;z=\"q\"\r\nabc\r\n0;e\r\n\r\n", "abc"),
            ("2\r\n\r\n\r\n0\r\n\r\n", "\r\n"), ("0\r\nTrailer: x\r\nOther:\r\n\r\n", ""),
        ])
    func accepted(text: String, body: String) {
        let bytes = Array((text + "GET /").utf8)
        for step in [bytes.count, 1, 2, 3] {
            #expect(decode(bytes, in: step) == .body(body, used: text.utf8.count), "\(step) at a time")
        }
    }

    @Test(
        "chunks that are not exactly right are refused",
        arguments: [
            "\r\n", "x\r\n", "-1\r\n", "+1\r\n", "0x1\r\n", " 1\r\n", "1 \r\n", "1\n", "1\r1", ";x\r\n", "g\r\n",
            "00000000000000001\r\na\r\n0\r\n\r\n", "1 \t\r\n", "1 2\r\n", "1 x;y\r\n", "1\u{0B};x\r\n", "1 \n",
            "1\r\nab\r\n0\r\n\r\n", "2\r\na\r\n0\r\n\r\n", "1\r\na\n0\r\n\r\n",
            "1\r\na\r0\r\n\r\n", "1\r\na0\r\n\r\n", "1;\u{0}\r\na\r\n", "1;x\ny\r\na\r\n", "1\r\na\r\n\r\n",
        ])
    func refused(text: String) {
        let bytes = Array(text.utf8)
        for step in [bytes.count, 1] { #expect(decode(bytes, in: step) == .refused(400, .badChunk)) }
    }

    @Test(
        "trailers are fields: what is no field is refused",
        arguments: [
            ("\n", .bareLineBreak), ("\rx", .bareLineBreak), ("T: x\n\r\n", .bareLineBreak),
            (" folded\r\n\r\n", .lineFolding), ("T: x\r\n\tfolded\r\n\r\n", .lineFolding),
            (": x\r\n\r\n", .badFieldName),
            ("bad trailer\r\n\r\n", .badFieldName), ("X-A : b\r\n\r\n", .badFieldName), ("T\r\n\r\n", .badFieldName),
            ("T: \u{0}\r\n\r\n", .badFieldValue), ("T: a\rb\r\n\r\n", .bareLineBreak),
        ] as [(String, HTTPError.Reason)])
    func trailers(section: String, reason: HTTPError.Reason) {
        let bytes = Array("1\r\na\r\n0\r\n\(section)".utf8)
        for step in [bytes.count, 1] { #expect(decode(bytes, in: step) == .refused(400, reason)) }
    }

    @Test("more trailers than a head may have fields are refused")
    func trailerCount() {
        let lines = ["A: b\r\n", "Transfer-Encoding: chunked\r\n", "Content-Length: 9\r\n", "Host: x\r\n"]
        let three = Array("0\r\n\(lines.prefix(3).joined())\r\n".utf8)
        let four = Array("0\r\n\(lines.joined())\r\n".utf8)
        for step in [four.count, 1] {
            #expect(decode(three, in: step) == .body("", used: three.count))
            #expect(decode(four, in: step) == .refused(431, .tooManyFields))
        }
    }

    @Test("a body that has not ended yet is no error, at any of its bytes")
    func incomplete() {
        let bytes = Array("3;x\r\nabc\r\n1\r\nd\r\n0\r\nT: x\r\n\r\n".utf8)
        for count in 0..<bytes.count {
            #expect(decode(Array(bytes[..<count]), in: max(1, count)) == .incomplete, "\(count) bytes")
        }
    }

    @Test(
        "a body of the limit's size is taken; one byte more is refused before it is read",
        arguments: [
            ("64\r\n\(String(repeating: "x", count: 100))\r\n0\r\n\r\n", true), ("65\r\n", false),
            ("63\r\n\(String(repeating: "x", count: 99))\r\n1\r\ny\r\n0\r\n\r\n", true),
            ("63\r\n\(String(repeating: "x", count: 99))\r\n2\r\n", false), ("FFFFFFFF\r\n", false),
            ("7FFFFFFF", false),
        ])
    func bodyLimit(text: String, fits: Bool) {
        let bytes = Array(text.utf8)
        for step in [bytes.count, 1] {
            let outcome = decode(bytes, in: step)
            if fits {
                #expect(
                    outcome
                        == .body(
                            String(repeating: "x", count: 99) + (text.contains("y") ? "y" : "x"), used: bytes.count))
            } else {
                #expect(outcome == .refused(413, .bodyTooLarge))
            }
        }
    }

    @Test("extensions and trailers that never end are refused", arguments: ["1;", "0\r\nX: "])
    func overhead(start: String) {
        let bytes = Array((start + String(repeating: "x", count: 5000)).utf8)
        for step in [bytes.count, 1] { #expect(decode(bytes, in: step) == .refused(431, .headerTooLarge)) }
    }

    @Test("white space that never ends is refused", arguments: [" ", "\t"])
    func endlessSpace(space: String) {
        let bytes = Array(("1" + String(repeating: space, count: 5000)).utf8)
        for step in [bytes.count, 1] { #expect(decode(bytes, in: step) == .refused(431, .headerTooLarge)) }
    }

    @Test("a body reads back the same with any chunks", arguments: 1...9)
    func roundTrip(size: Int) {
        let body = "The quick brown fox\r\n0\r\n\r\njumps over the lazy dog."
        var text = ""
        var rest = Array(body.utf8)[...]
        while !rest.isEmpty {
            let piece = rest.prefix(size)
            text += "\(String(piece.count, radix: 16))\r\n\(String(decoding: piece, as: UTF8.self))\r\n"
            rest = rest.dropFirst(size)
        }
        text += "0\r\n\r\n"
        #expect(decode(Array(text.utf8), in: 7) == .body(body, used: text.utf8.count))
    }
}
