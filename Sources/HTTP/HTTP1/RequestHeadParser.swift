internal import SwitchyardText

/// Reads a request head (RFC 9112 sections 2 to 5) strictly, in one pass, as its bytes arrive. Does no I/O.
///
/// Repairs that the RFC allows a server (a bare LF, a folded line, white space around names) are refused: two parsers
/// with different repairs let requests be smuggled.
struct RequestHeadParser {
    private enum Phase {
        case start, method, target, version, requestLineEnd, fields
    }

    private let limits: HTTPLimits
    private var phase = Phase.start
    /// The position of the next unread byte, and the start of the part that is being read.
    private var position = 0
    private var partStart = 0
    /// The start of the header fields.
    private var fieldsStart = 0
    private var methodRange = 0..<0
    private var targetRange = 0..<0
    private var minorVersion = 1
    private var sawEmptyLine = false
    private var section: FieldSectionParser

    init(limits: HTTPLimits) {
        self.limits = limits
        section = FieldSectionParser(at: 0, maximumFields: limits.headerFields)
    }

    /// Reads on in `bytes`, which hold the head from its first byte on.
    /// - Returns: how the message is framed once its head is complete, with `request` filled in; nil
    ///   when more is needed.
    mutating func parse(
        _ bytes: [UInt8], count: Int, into request: inout Request
    ) throws(HTTPError) -> RequestFraming? {
        while position < count, phase != .fields {
            switch phase {
            case .start: try begin(bytes[position])
            case .method: try readMethod(bytes, count)
            case .target: try readTarget(bytes, count)
            case .version: try readVersion(bytes, count)
            case .requestLineEnd: try endRequestLine(bytes[position])
            case .fields: break
            }
        }
        if phase == .fields, try section.parse(bytes, count: count, into: &request.fields.lines) {
            return try finish(bytes, &request)
        }
        try checkSizes()
        return nil
    }

    /// Checks the size so far, so an endless line is refused before it ends.
    private func checkSizes() throws(HTTPError) {
        guard phase != .fields else {
            try checkFields()
            return
        }
        // The carriage return is not part of the line.
        let length = phase == .requestLineEnd ? position - 1 : position
        if length > limits.requestLineBytes { throw HTTPError(.uriTooLong, .requestLineTooLong) }
    }

    private func checkFields() throws(HTTPError) {
        if section.position - fieldsStart > limits.headerBytes {
            throw HTTPError(.headerFieldsTooLarge, .headerTooLarge)
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
        position = ByteClass.end(of: bytes, from: position, to: count, while: ByteClass.isToken)
        guard position - partStart <= 32 else { throw HTTPError(.badRequest, .badRequestLine) }
        guard position < count else { return }
        guard bytes[position] == UInt8(ascii: " ") else { throw HTTPError(.badRequest, .badRequestLine) }
        methodRange = partStart..<position
        next(.target)
    }

    private mutating func readTarget(_ bytes: [UInt8], _ count: Int) throws(HTTPError) {
        position = ByteClass.end(of: bytes, from: position, to: count, while: ByteClass.isTarget)
        guard position < count else { return }
        guard bytes[position] == UInt8(ascii: " "), position > partStart else {
            throw HTTPError(.badRequest, .badTarget)
        }
        targetRange = partStart..<position
        next(.version)
    }

    private mutating func readVersion(_ bytes: [UInt8], _ count: Int) throws(HTTPError) {
        while position < count, ByteClass.isToken(bytes[position]) || bytes[position] == UInt8(ascii: "/") {
            position += 1
        }
        guard position < count else { return }
        if bytes[position] == UInt8(ascii: "\n") { throw HTTPError(.badRequest, .bareLineBreak) }
        guard bytes[position] == UInt8(ascii: "\r") else { throw HTTPError(.badRequest, .badVersion) }
        if position > limits.requestLineBytes { throw HTTPError(.uriTooLong, .requestLineTooLong) }
        guard position - partStart == 8, bytes[partStart] == UInt8(ascii: "H"),
            bytes[partStart + 1] == UInt8(ascii: "T"),
            bytes[partStart + 2] == UInt8(ascii: "T"), bytes[partStart + 3] == UInt8(ascii: "P"),
            bytes[partStart + 4] == UInt8(ascii: "/"), ASCII.isDigit(bytes[partStart + 5]),
            bytes[partStart + 6] == UInt8(ascii: "."), ASCII.isDigit(bytes[partStart + 7])
        else { throw HTTPError(.badRequest, .badVersion) }
        guard bytes[partStart + 5] == UInt8(ascii: "1") else {
            throw HTTPError(.versionNotSupported, .unsupportedVersion)
        }
        // RFC 9110 section 2.5: a higher minor version is read as the highest that is known.
        minorVersion = bytes[partStart + 7] == UInt8(ascii: "0") ? 0 : 1
        next(.requestLineEnd)
    }

    private mutating func endRequestLine(_ byte: UInt8) throws(HTTPError) {
        guard byte == UInt8(ascii: "\n") else { throw HTTPError(.badRequest, .bareLineBreak) }
        next(.fields)
        fieldsStart = position
        section = FieldSectionParser(at: position, maximumFields: limits.headerFields)
    }

    private mutating func next(_ phase: Phase) {
        position += 1
        partStart = position
        self.phase = phase
    }

    // MARK: The whole

    private func finish(_ bytes: [UInt8], _ request: inout Request) throws(HTTPError) -> RequestFraming {
        let length = section.position
        try checkFields()
        request.fields.bytes.removeAll(keepingCapacity: true)
        request.fields.bytes.append(contentsOf: bytes[..<length])
        request.method = Request.Method(bytes[methodRange])
        return try RequestFraming(
            of: &request, target: targetRange, minorVersion: minorVersion, headLength: length)
    }
}
