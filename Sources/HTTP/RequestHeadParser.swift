internal import SwitchyardText

/// Reads a request head (RFC 9112 sections 2 to 5) strictly, in one pass, as its bytes arrive. Does no I/O.
///
/// What the RFC allows a server to repair (a bare LF, a folded line, white space around names) is refused: two parsers
/// that repair differently are how requests are smuggled.
struct RequestHeadParser {
    private enum Phase {
        case start, method, target, version, requestLineEnd
        case fieldStart, fieldName, fieldValue, fieldEnd, headEnd
    }

    private let limits: HTTPLimits
    private var phase = Phase.start
    /// Where the next unread byte is, and where the part that is being read began.
    private var position = 0
    private var partStart = 0
    private var methodRange = 0..<0
    private var targetRange = 0..<0
    private var nameRange = 0..<0
    private var sawEmptyLine = false

    init(limits: HTTPLimits) {
        self.limits = limits
    }

    /// Whether any byte of a head has been read.

    /// Reads on in `bytes`, which hold the head from its first byte on.
    /// - Returns: the head's length in bytes once it is complete, with `request` filled in; nil when more is needed.
    mutating func parse(
        _ bytes: [UInt8], count: Int, into request: inout Request
    ) throws(HTTPError) -> Int? {
        while position < count {
            let byte = bytes[position]
            switch phase {
            case .start: try begin(byte)
            case .method: try readMethod(bytes, count)
            case .target: try readTarget(bytes, count)
            case .version: try readVersion(bytes, count, &request)
            case .requestLineEnd: try expectLineFeed(byte, then: .fieldStart)
            case .fieldStart: try startField(byte)
            case .fieldName: try readName(bytes, count)
            case .fieldValue: try readValue(bytes, count, &request)
            case .fieldEnd: try expectLineFeed(byte, then: .fieldStart)
            case .headEnd:
                try expectLineFeed(byte, then: .start)
                return try finish(bytes, &request)
            }
        }
        try checkSizes()
        return nil
    }

    /// The size of what has come so far, so that an endless line is refused before it ends.
    private func checkSizes() throws(HTTPError) {
        switch phase {
        case .start, .method, .target, .version, .requestLineEnd:
            // The carriage return is not part of the line.
            let length = phase == .requestLineEnd ? position - 1 : position
            if length > limits.requestLineBytes { throw HTTPError(.uriTooLong, .requestLineTooLong) }
        default:
            if position > limits.headerBytes { throw HTTPError(.headerFieldsTooLarge, .headerTooLarge) }
        }
    }

    // MARK: The request line

    private mutating func begin(_ byte: UInt8) throws(HTTPError) {
        // RFC 9112 section 2.2: an empty line before the request line is passed over; one is enough.
        if byte == UInt8(ascii: "\r"), !sawEmptyLine, partStart == position {
            position += 1
            return
        }
        if byte == UInt8(ascii: "\n"), !sawEmptyLine, position == partStart + 1 {
            sawEmptyLine = true
            position += 1
            partStart = position
            return
        }
        guard partStart == position, ByteClass.isToken(byte) else { throw HTTPError(.badRequest, .badRequestLine) }
        phase = .method
    }

    private mutating func readMethod(_ bytes: [UInt8], _ count: Int) throws(HTTPError) {
        while position < count, ByteClass.isToken(bytes[position]) { position += 1 }
        guard position - partStart <= 32 else { throw HTTPError(.badRequest, .badRequestLine) }
        guard position < count else { return }
        guard bytes[position] == UInt8(ascii: " ") else { throw HTTPError(.badRequest, .badRequestLine) }
        methodRange = partStart..<position
        next(.target)
    }

    private mutating func readTarget(_ bytes: [UInt8], _ count: Int) throws(HTTPError) {
        while position < count, ByteClass.isTarget(bytes[position]) { position += 1 }
        guard position < count else { return }
        guard bytes[position] == UInt8(ascii: " "), position > partStart else {
            throw HTTPError(.badRequest, .badTarget)
        }
        targetRange = partStart..<position
        next(.version)
    }

    private mutating func readVersion(
        _ bytes: [UInt8], _ count: Int, _ request: inout Request
    ) throws(HTTPError) {
        while position < count, ByteClass.isToken(bytes[position]) || bytes[position] == UInt8(ascii: "/") {
            position += 1
        }
        guard position < count else { return }
        if bytes[position] == UInt8(ascii: "\n") { throw HTTPError(.badRequest, .bareLineBreak) }
        guard bytes[position] == UInt8(ascii: "\r") else { throw HTTPError(.badRequest, .badVersion) }
        if position > limits.requestLineBytes { throw HTTPError(.uriTooLong, .requestLineTooLong) }
        let version = bytes[partStart..<position]
        guard version.count == 8, version.starts(with: "HTTP/".utf8), ASCII.isDigit(bytes[partStart + 5]),
            bytes[partStart + 6] == UInt8(ascii: "."), ASCII.isDigit(bytes[partStart + 7])
        else { throw HTTPError(.badRequest, .badVersion) }
        guard bytes[partStart + 5] == UInt8(ascii: "1") else {
            throw HTTPError(.versionNotSupported, .unsupportedVersion)
        }
        // RFC 9110 section 2.5: a higher minor version is read as the highest that is known.
        request.minorVersion = bytes[partStart + 7] == UInt8(ascii: "0") ? 0 : 1
        next(.requestLineEnd)
    }

    // MARK: Fields

    private mutating func startField(_ byte: UInt8) throws(HTTPError) {
        switch byte {
        case UInt8(ascii: "\r"): next(.headEnd)
        case UInt8(ascii: " "), UInt8(ascii: "\t"): throw HTTPError(.badRequest, .lineFolding)
        case UInt8(ascii: "\n"): throw HTTPError(.badRequest, .bareLineBreak)
        default:
            partStart = position
            phase = .fieldName
        }
    }

    private mutating func readName(_ bytes: [UInt8], _ count: Int) throws(HTTPError) {
        while position < count, ByteClass.isToken(bytes[position]) { position += 1 }
        guard position < count else { return }
        guard bytes[position] == UInt8(ascii: ":"), position > partStart else {
            throw HTTPError(.badRequest, .badFieldName)
        }
        nameRange = partStart..<position
        next(.fieldValue)
    }

    private mutating func readValue(
        _ bytes: [UInt8], _ count: Int, _ request: inout Request
    ) throws(HTTPError) {
        while position < count, ByteClass.isFieldContent(bytes[position]) { position += 1 }
        guard position < count else { return }
        if bytes[position] == UInt8(ascii: "\n") { throw HTTPError(.badRequest, .bareLineBreak) }
        guard bytes[position] == UInt8(ascii: "\r") else { throw HTTPError(.badRequest, .badFieldValue) }
        guard request.fields.count < limits.headerFields else {
            throw HTTPError(.headerFieldsTooLarge, .tooManyFields)
        }
        var start = partStart
        var end = position
        while start < end, bytes[start] == 0x20 || bytes[start] == 0x09 { start += 1 }
        while end > start, bytes[end - 1] == 0x20 || bytes[end - 1] == 0x09 { end -= 1 }
        request.fields.append(Request.Field(name: nameRange, value: start..<end))
        next(.fieldEnd)
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

    // MARK: The whole

    private func finish(_ bytes: [UInt8], _ request: inout Request) throws(HTTPError) -> Int {
        if position > limits.headerBytes { throw HTTPError(.headerFieldsTooLarge, .headerTooLarge) }
        request.head.removeAll(keepingCapacity: true)
        request.head.append(contentsOf: bytes[..<position])
        request.method = Method(bytes[methodRange])
        try RequestMeaning.resolve(&request, target: targetRange)
        return position
    }
}
