internal import SwitchyardText

/// Removes the chunked transfer coding (RFC 9112 section 7.1), strictly. Does no I/O.
struct ChunkedDecoder {
    private enum Phase {
        case size, sizeExtension, sizeEnd, data, dataEnd, dataLineFeed
        case trailerStart, trailer, trailerLineFeed, lastLineFeed, done
    }

    private var phase = Phase.size
    private var size = 0
    private var digits = 0
    /// Bytes of extensions and trailers, which are read over and mean nothing here.
    private var overhead = 0
    private let maximumBody: Int
    private static let maximumOverhead = 4096

    init(maximumBody: Int) {
        self.maximumBody = maximumBody
    }

    var isDone: Bool { phase == .done }

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
        case .sizeExtension:
            if byte == UInt8(ascii: "\r") { phase = .sizeEnd } else { try countOverhead(byte) }
        case .sizeEnd:
            try expect(byte, UInt8(ascii: "\n"))
            phase = size == 0 ? .trailerStart : .data
        case .dataEnd:
            try expect(byte, UInt8(ascii: "\r"))
            phase = .dataLineFeed
        case .dataLineFeed:
            try expect(byte, UInt8(ascii: "\n"))
            phase = .size
            digits = 0
        case .trailerStart:
            if byte == UInt8(ascii: "\r") {
                phase = .lastLineFeed
            } else {
                guard ByteClass.isToken(byte) else { throw HTTPError(.badRequest, .badChunk) }
                try countOverhead(byte)
                phase = .trailer
            }
        case .trailer:
            if byte == UInt8(ascii: "\r") { phase = .trailerLineFeed } else { try countOverhead(byte) }
        case .trailerLineFeed:
            try expect(byte, UInt8(ascii: "\n"))
            phase = .trailerStart
        case .lastLineFeed:
            try expect(byte, UInt8(ascii: "\n"))
            phase = .done
        case .data, .done: break
        }
    }

    private mutating func readSize(_ byte: UInt8, bodySize: Int) throws(HTTPError) {
        if ASCII.isHexDigit(byte) {
            guard digits < 8 else { throw HTTPError(.badRequest, .badChunk) }
            if digits == 0 { size = 0 }
            let value = ASCII.isDigit(byte) ? Int(byte - 48) : Int((byte | 0x20) - 87)
            size = size << 4 | value
            digits += 1
            guard bodySize + size <= maximumBody else { throw HTTPError(.contentTooLarge, .bodyTooLarge) }
            return
        }
        guard digits > 0 else { throw HTTPError(.badRequest, .badChunk) }
        switch byte {
        case UInt8(ascii: "\r"): phase = .sizeEnd
        case UInt8(ascii: ";"): phase = .sizeExtension
        default: throw HTTPError(.badRequest, .badChunk)
        }
    }

    private mutating func countOverhead(_ byte: UInt8) throws(HTTPError) {
        guard ByteClass.isFieldContent(byte) else { throw HTTPError(.badRequest, .badChunk) }
        overhead += 1
        if overhead > Self.maximumOverhead { throw HTTPError(.headerFieldsTooLarge, .headerTooLarge) }
    }

    private func expect(_ byte: UInt8, _ wanted: UInt8) throws(HTTPError) {
        guard byte == wanted else { throw HTTPError(.badRequest, .badChunk) }
    }
}
