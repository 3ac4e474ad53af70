internal import SwitchyardText

/// Removes the chunked transfer coding (RFC 9112 section 7.1), strictly. Does no I/O.
///
/// Trailer fields must be valid, and are dropped: they have no meaning here, and merged into the head they could say
/// what the head did not (RFC 9110 section 6.5.1).
struct ChunkedDecoder {
    private enum Phase {
        case size, sizeSpace, sizeExtension, sizeEnd, data, dataEnd, dataLineFeed, trailers, done
    }

    private var phase = Phase.size
    private var size = 0
    private var digits = 0
    /// Leading zeros included, which a sender may write as many of as it likes.
    private static let maximumDigits = 16
    /// Bytes of extensions and of the white space around them, which are skipped.
    private var extensionBytes = 0
    private static let maximumExtensionBytes = 4096
    private var trailers: [UInt8] = []
    private var trailerLines: [Fields.Line] = []
    private var trailerParser: FieldSectionParser
    private let limits: HTTPLimits

    init(limits: HTTPLimits) {
        self.limits = limits
        trailerParser = FieldSectionParser(at: 0, maximumFields: limits.headerFields)
    }

    var isDone: Bool { phase == .done }

    /// The memory of the fields behind the last chunk.
    var heldBytes: Int { trailers.capacity + trailerLines.capacity * MemoryLayout<Fields.Line>.stride }

    /// Reads on in `bytes`; content goes to `body`.
    /// - Returns: how many bytes were used; all of them unless the last chunk has ended.
    mutating func decode(_ bytes: ArraySlice<UInt8>, into body: inout [UInt8]) throws(HTTPError) -> Int {
        var index = bytes.startIndex
        while index < bytes.endIndex, phase != .done {
            if phase == .data {
                let end = min(bytes.endIndex, index + size)
                body.append(contentsOf: bytes[index..<end])
                size -= end - index
                index = end
                if size == 0 { phase = .dataEnd }
            } else if phase == .trailers {
                index += try readTrailers(bytes[index...])
            } else {
                try step(bytes[index], bodySize: body.count)
                index += 1
            }
        }
        return index - bytes.startIndex
    }

    private mutating func step(_ byte: UInt8, bodySize: Int) throws(HTTPError) {
        switch phase {
        case .size: try readSize(byte, bodySize: bodySize)
        case .sizeSpace:
            // White space belongs to an extension, which must follow.
            if byte == UInt8(ascii: ";") { phase = .sizeExtension } else { try countSpace(byte) }
        case .sizeExtension:
            if byte == UInt8(ascii: "\r") { phase = .sizeEnd } else { try countExtension(byte) }
        case .sizeEnd:
            try expect(byte, UInt8(ascii: "\n"))
            phase = size == 0 ? .trailers : .data
        case .dataEnd:
            try expect(byte, UInt8(ascii: "\r"))
            phase = .dataLineFeed
        case .dataLineFeed:
            try expect(byte, UInt8(ascii: "\n"))
            phase = .size
            digits = 0
        case .data, .trailers, .done: break
        }
    }

    private mutating func readSize(_ byte: UInt8, bodySize: Int) throws(HTTPError) {
        if ASCII.isHexDigit(byte) {
            guard digits < Self.maximumDigits else { throw HTTPError(.badRequest, .badChunk) }
            if digits == 0 { size = 0 }
            let value = ASCII.isDigit(byte) ? Int(byte - 48) : Int((byte | 0x20) - 87)
            size = size << 4 | value
            digits += 1
            guard bodySize + size <= limits.bodyBytes else { throw HTTPError(.contentTooLarge, .bodyTooLarge) }
            return
        }
        guard digits > 0 else { throw HTTPError(.badRequest, .badChunk) }
        switch byte {
        case UInt8(ascii: "\r"): phase = .sizeEnd
        case UInt8(ascii: ";"): phase = .sizeExtension
        default:
            try countSpace(byte)
            phase = .sizeSpace
        }
    }

    /// The same grammar and the same limits as for the fields of a head.
    /// - Returns: how many bytes were used.
    private mutating func readTrailers(_ bytes: ArraySlice<UInt8>) throws(HTTPError) -> Int {
        let before = trailers.count
        // One byte more than fits shows that it is too much.
        trailers.append(contentsOf: bytes.prefix(limits.headerBytes + 1 - before))
        let isComplete = try trailerParser.parse(trailers, count: trailers.count, into: &trailerLines)
        if trailerParser.position > limits.headerBytes { throw HTTPError(.headerFieldsTooLarge, .headerTooLarge) }
        if isComplete { phase = .done }
        return trailerParser.position - before
    }

    private mutating func countSpace(_ byte: UInt8) throws(HTTPError) {
        guard byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") else { throw HTTPError(.badRequest, .badChunk) }
        try countExtension(byte)
    }

    private mutating func countExtension(_ byte: UInt8) throws(HTTPError) {
        guard ByteClass.isFieldContent(byte) else { throw HTTPError(.badRequest, .badChunk) }
        extensionBytes += 1
        if extensionBytes > Self.maximumExtensionBytes { throw HTTPError(.headerFieldsTooLarge, .headerTooLarge) }
    }

    private func expect(_ byte: UInt8, _ wanted: UInt8) throws(HTTPError) {
        guard byte == wanted else { throw HTTPError(.badRequest, .badChunk) }
    }
}
