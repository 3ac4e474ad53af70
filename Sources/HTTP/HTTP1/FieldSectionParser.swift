/// Reads field lines up to the empty line that ends them (RFC 9112 sections 5 and 7.1.2), strictly, as their bytes
/// arrive: those of a head, and those behind the last chunk. Does no I/O.
struct FieldSectionParser {
    private enum Phase {
        case lineStart, name, value, lineEnd, sectionEnd
    }

    private var phase = Phase.lineStart
    /// The position of the next unread byte, and the start of the part that is being read.
    private(set) var position: Int
    private var partStart = 0
    private var name = 0..<0
    private let maximumFields: Int

    /// - Parameter position: of the first line's first byte.
    init(at position: Int, maximumFields: Int) {
        self.position = position
        self.maximumFields = maximumFields
    }

    /// Reads on in `bytes`, which hold the section from its first byte on.
    /// - Returns: whether the section has ended; ``position`` is where it did.
    mutating func parse(
        _ bytes: [UInt8], count: Int, into lines: inout [Fields.Line]
    ) throws(HTTPError) -> Bool {
        while position < count {
            switch phase {
            case .lineStart: try beginLine(bytes[position])
            case .name: try readName(bytes, count)
            case .value: try readValue(bytes, count, &lines)
            case .lineEnd: try expectLineFeed(bytes[position], then: .lineStart)
            case .sectionEnd:
                try expectLineFeed(bytes[position], then: .lineStart)
                return true
            }
        }
        return false
    }

    private mutating func beginLine(_ byte: UInt8) throws(HTTPError) {
        switch byte {
        case UInt8(ascii: "\r"): next(.sectionEnd)
        case UInt8(ascii: " "), UInt8(ascii: "\t"): throw HTTPError(.badRequest, .lineFolding)
        case UInt8(ascii: "\n"): throw HTTPError(.badRequest, .bareLineBreak)
        default:
            partStart = position
            phase = .name
        }
    }

    private mutating func readName(_ bytes: [UInt8], _ count: Int) throws(HTTPError) {
        position = ByteClass.end(of: bytes, from: position, to: count, while: ByteClass.isToken)
        guard position < count else { return }
        guard bytes[position] == UInt8(ascii: ":"), position > partStart else {
            throw HTTPError(.badRequest, .badFieldName)
        }
        name = partStart..<position
        next(.value)
    }

    private mutating func readValue(
        _ bytes: [UInt8], _ count: Int, _ lines: inout [Fields.Line]
    ) throws(HTTPError) {
        position = ByteClass.end(of: bytes, from: position, to: count, while: ByteClass.isFieldContent)
        guard position < count else { return }
        if bytes[position] == UInt8(ascii: "\n") { throw HTTPError(.badRequest, .bareLineBreak) }
        guard bytes[position] == UInt8(ascii: "\r") else { throw HTTPError(.badRequest, .badFieldValue) }
        guard lines.count < maximumFields else { throw HTTPError(.headerFieldsTooLarge, .tooManyFields) }
        var start = partStart
        var end = position
        while start < end, bytes[start] == 0x20 || bytes[start] == 0x09 { start += 1 }
        while end > start, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
        lines.append(Fields.Line(name: name, value: start..<end))
        next(.lineEnd)
    }

    private mutating func expectLineFeed(_ byte: UInt8, then phase: Phase) throws(HTTPError) {
        guard byte == UInt8(ascii: "\n") else { throw HTTPError(.badRequest, .bareLineBreak) }
        next(phase)
    }

    private mutating func next(_ phase: Phase) {
        position += 1
        partStart = position
        self.phase = phase
    }
}
