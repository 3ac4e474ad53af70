@testable import SwitchyardHTTP

/// The HTTP/1.1 request head, and the content of a chunked request behind it.
enum RequestHeadTarget {
    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        var small = HTTPLimits()
        small.requestLineBytes = 48
        small.headerBytes = 128
        small.headerFields = 4
        for limits in [HTTPLimits(), small] {
            guard let (request, framing) = try sameInPieces(bytes, limits) else { continue }
            try checkParts(request, framing, of: bytes, limits)
            try checkWrittenBack(request, framing, limits)
            if framing.content == .chunked { try ChunkedBodyTarget.check(Array(bytes[framing.headLength...])) }
        }
    }

    /// However the bytes come, the outcome is one and the same.
    private static func sameInPieces(
        _ bytes: [UInt8], _ limits: HTTPLimits
    ) throws(BrokenInvariant) -> (Request, RequestFraming)? {
        let whole = HeadOutcome(bytes, in: [bytes.count], limits)
        // Pieces with lengths from the input, so that the fuzzer can find a bad place to cut.
        for pieces in [[1], [3, 1], bytes.prefix(8).map { Int($0 & 31) + 1 } + [7]] {
            let other = HeadOutcome(bytes, in: pieces, limits)
            // An endless line is refused before it ends, when its end would have been refused for something else.
            let isSize = whole.isTooLarge || other.isTooLarge
            try require(
                whole == other || isSize && whole.isRefused && other.isRefused, "a head in pieces is the same head")
        }
        guard case .request(let request, let framing) = whole else { return nil }
        return (request, framing)
    }

    private static func checkParts(
        _ request: Request, _ framing: RequestFraming, of bytes: [UInt8], _ limits: HTTPLimits
    ) throws(BrokenInvariant) {
        let length = framing.headLength
        let head = request.fields.bytes
        try require(length <= bytes.count && length <= limits.headerBytes, "a head is bounded")
        try require(head == Array(bytes[..<length]), "a head is kept as it came")
        try require(head.suffix(4).elementsEqual("\r\n\r\n".utf8), "a head ends with an empty line")
        try require(request.fields.count <= limits.headerFields, "the number of fields is bounded")
        let path = request.pathBytes
        try require(
            path.first == UInt8(ascii: "/") || path.elementsEqual("*".utf8), "a path begins with a slash, or is *")
        try require(!path.contains { isInvisible($0) || "?#".utf8.contains($0) }, "a path is visible ASCII")
        try require(request.queryBytes?.contains(where: isInvisible) != true, "a query is visible ASCII")
        try require(request.authority != nil || framing.minorVersion == 0, "only HTTP/1.0 goes without a host")
        if let authority = request.authority {
            try require(
                !authority.host.isEmpty && !authority.host.contains { isInvisible($0) || "@/\\%?#".utf8.contains($0) },
                "a host is a plain name")
        }
        for line in request.fields.lines {
            let value = head[line.value]
            try require(!value.contains { $0 == 0 || $0 == 10 || $0 == 13 }, "a value holds no line break and no NUL")
            try require(
                !line.name.isEmpty && head[line.name].allSatisfy(ByteClass.isToken), "a name is a token")
        }
        if framing.content == .chunked { try require(!request.hasField("content-length"), "one framing only") }
    }

    /// The fields written anew behind the same request line are the same request.
    private static func checkWrittenBack(
        _ request: Request, _ framing: RequestFraming, _ limits: HTTPLimits
    ) throws(BrokenInvariant) {
        let head = request.fields.bytes
        let start = head.starts(with: "\r\n".utf8) ? 2 : 0
        guard let end = head[start...].firstIndex(of: UInt8(ascii: "\r")) else { return }
        var written = Array(head[start..<end]) + "\r\n".utf8
        for line in request.fields.lines {
            written += head[line.name] + ":".utf8 + head[line.value] + "\r\n".utf8
        }
        written += "\r\n".utf8
        guard case .request(let again, let framedAgain) = HeadOutcome(written, in: [written.count], limits) else {
            throw BrokenInvariant(description: "broken: a request that is written back is a request")
        }
        try require(
            framedAgain.headLength == written.count && framedAgain.means(framing) && request.means(again),
            "a request that is written back is the same")
    }
}
