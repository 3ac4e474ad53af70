import Testing

@testable import SwitchyardHTTP

@Suite("Request head: limits") struct RequestHeadLimitTests {
    private static let requestLine = 64
    private static let head = 160

    private static var limits: HTTPLimits {
        var limits = HTTPLimits()
        limits.requestLineBytes = requestLine
        limits.headerBytes = head
        limits.headerFields = 3
        return limits
    }

    /// A head with a request line of exactly `count` bytes, without its line break.
    private static func line(_ count: Int) -> [UInt8] {
        let frame = "GET / HTTP/1.1"
        return Array("GET /\(String(repeating: "x", count: count - frame.utf8.count)) HTTP/1.1\r\nHost: a\r\n\r\n".utf8)
    }

    /// A head with exactly `count` bytes of fields, behind a request line that counts by itself.
    private static func head(_ count: Int) -> [UInt8] {
        let (start, end) = ("Host: a\r\nX: ", "\r\n\r\n")
        let fields = start + String(repeating: "x", count: count - start.utf8.count - end.utf8.count) + end
        return Array(("GET /\(String(repeating: "y", count: 40)) HTTP/1.1\r\n" + fields).utf8)
    }

    private static func fields(_ count: Int) -> [UInt8] {
        let more = (1..<count).map { "X\($0): y\r\n" }.joined()
        return Array("GET / HTTP/1.1\r\nHost: a\r\n\(more)\r\n".utf8)
    }

    @Test("a request line of the limit's length is served; one byte more is 414", arguments: [-1, 0, 1, 40])
    func requestLine(difference: Int) async throws {
        var request = try await TestContext.request()
        let bytes = Self.line(Self.requestLine + difference)
        let expected: ParsedHead =
            difference <= 0 ? .request(length: bytes.count) : .refused(414, .requestLineTooLong)
        #expect(ParsedHead.whole(bytes, into: &request, limits: Self.limits) == expected)
        #expect(ParsedHead.byteByByte(bytes, into: &request, limits: Self.limits) == expected)
    }

    @Test("fields of the limit's length are served; one byte more is 431", arguments: [-1, 0, 1, 40])
    func wholeHead(difference: Int) async throws {
        var request = try await TestContext.request()
        let bytes = Self.head(Self.head + difference)
        let expected: ParsedHead =
            difference <= 0 ? .request(length: bytes.count) : .refused(431, .headerTooLarge)
        #expect(ParsedHead.whole(bytes, into: &request, limits: Self.limits) == expected)
        #expect(ParsedHead.byteByByte(bytes, into: &request, limits: Self.limits) == expected)
    }

    @Test("as many fields as the limit are served; one more is 431", arguments: [1, 2, 3, 4, 5])
    func fieldCount(count: Int) async throws {
        var request = try await TestContext.request()
        let bytes = Self.fields(count)
        let expected: ParsedHead = count <= 3 ? .request(length: bytes.count) : .refused(431, .tooManyFields)
        #expect(ParsedHead.whole(bytes, into: &request, limits: Self.limits) == expected)
        #expect(ParsedHead.byteByByte(bytes, into: &request, limits: Self.limits) == expected)
    }

    @Test(
        "an endless line is refused before it ends",
        arguments: ["", "GET /", "GET / HTTP/1.1\r\nHost: a\r\nX: ", "GET / HTTP/1.1\r\nX"])
    func endless(start: String) async throws {
        var request = try await TestContext.request()
        let bytes = Array((start + String(repeating: "x", count: 1000)).utf8)
        for parse in [ParsedHead.whole, ParsedHead.byteByByte] {
            guard case .refused = parse(bytes, &request, Self.limits) else {
                Issue.record("not refused: \(start)")
                continue
            }
        }
    }

    @Test("the default limits are those of the design")
    func defaults() {
        let limits = HTTPLimits()
        #expect(limits.requestLineBytes == 16384)
        #expect(limits.headerBytes == 16384)
        #expect(limits.headerFields == 100)
        #expect(limits.bodyBytes == 65536)
    }
}
