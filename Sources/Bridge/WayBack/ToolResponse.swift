internal import SwitchyardText

/// The reason why a tool's bytes are no valid answer.
public enum ToolResponseError: Error, Hashable, Sendable {
    case malformed
    case tooLarge
    /// The tool closed the connection in the middle.
    case cut
}

/// An answer of a tool, whole.
public struct ToolResponse: Sendable {
    public let status: Int
    public let fields: [(name: String, value: [UInt8])]
    public let body: [UInt8]

    /// Every value of a field.
    /// - Parameter name: in lower case.
    public func values(_ name: String) -> [String] {
        fields.filter { ASCII.equalIgnoringCase($0.name, name) }.map { String(decoding: $0.value, as: UTF8.self) }
    }

    /// The redirect target, if any.
    public var location: String? {
        guard [301, 302, 303, 307, 308].contains(status) else { return nil }
        let values = values("location")
        return values.count == 1 ? values[0] : nil
    }
}

/// Reads an answer of HTTP/1 that comes in pieces. All of it is untrusted (rules: limits everywhere).
public struct ToolResponseReader: Sendable {
    public static let mostHeadBytes = 64 << 10
    public static let mostBodyBytes = 4 << 20
    private static let mostChunkLineBytes = 1024

    private var bytes: [UInt8] = []
    private var head: Head?
    // Bytes that were looked at are not looked at again with each piece: a tool may send one byte at a time.
    private var headStart = 0
    private var lineStart = 0
    private var searched = 0
    private var dechunked: [UInt8] = []
    private var nextChunk = 0

    private struct Head {
        let status: Int
        let fields: [(name: String, value: [UInt8])]
        let end: Int
        let framing: Framing
    }

    private enum Framing {
        case length(Int)
        case chunked
        case untilEnd
    }

    public init() {}

    /// Takes a piece.
    /// - Returns: the answer, once it is whole.
    public mutating func take(_ piece: ArraySlice<UInt8>) throws(ToolResponseError) -> ToolResponse? {
        guard bytes.count + piece.count <= Self.mostHeadBytes + Self.mostBodyBytes * 2 else { throw .tooLarge }
        bytes += piece
        return try answer(isAtEnd: false)
    }

    /// The tool has closed the connection.
    public mutating func end() throws(ToolResponseError) -> ToolResponse {
        guard let answer = try answer(isAtEnd: true) else { throw bytes.isEmpty ? .cut : .malformed }
        return answer
    }

    private mutating func answer(isAtEnd: Bool) throws(ToolResponseError) -> ToolResponse? {
        while head == nil {
            guard let end = try endOfHead() else {
                if isAtEnd { throw .cut }
                return nil
            }
            let next = try Self.head(in: bytes[headStart..<end])
            if (100..<200).contains(next.status) {
                // The request asked for no other protocol.
                guard next.status != 101 else { throw .malformed }
                headStart = end
            } else {
                head = next
                nextChunk = end
            }
        }
        guard let head else { return nil }
        guard let body = try body(of: head, isAtEnd: isAtEnd) else { return nil }
        return ToolResponse(status: head.status, fields: head.fields, body: body)
    }

    // MARK: The head

    /// Just behind the empty line; nil while that has not come.
    private mutating func endOfHead() throws(ToolResponseError) -> Int? {
        while searched < bytes.count {
            guard searched < Self.mostHeadBytes else { throw .tooLarge }
            defer { searched += 1 }
            guard bytes[searched] == UInt8(ascii: "\n") else { continue }
            let (line, isFirst) = (bytes[lineStart..<searched], lineStart == headStart)
            lineStart = searched + 1
            if !isFirst, line.isEmpty || line.elementsEqual([UInt8(ascii: "\r")]) { return lineStart }
        }
        return nil
    }

    private static func head(in bytes: ArraySlice<UInt8>) throws(ToolResponseError) -> Head {
        var lines = bytes.split(separator: UInt8(ascii: "\n")).map { line in
            line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        }
        while let last = lines.last, last.isEmpty { lines.removeLast() }
        guard let first = lines.first, let status = status(first) else { throw .malformed }
        var fields: [(name: String, value: [UInt8])] = []
        for line in lines.dropFirst() { fields.append(try field(line)) }
        return Head(status: status, fields: fields, end: bytes.endIndex, framing: try framing(status, fields))
    }

    private static func status(_ line: ArraySlice<UInt8>) -> Int? {
        let text = String(decoding: line.prefix(12), as: UTF8.self)
        guard text.hasPrefix("HTTP/1.0 ") || text.hasPrefix("HTTP/1.1 "), text.utf8.count == 12 else { return nil }
        let after = line.dropFirst(12).first
        guard after == nil || after == UInt8(ascii: " ") else { return nil }
        let digits = text.utf8.dropFirst(9)
        guard digits.allSatisfy(ASCII.isDigit), let status = Int(String(Substring(digits))), status >= 100 else {
            return nil
        }
        return status
    }

    private static func field(_ line: ArraySlice<UInt8>) throws(ToolResponseError) -> (name: String, value: [UInt8]) {
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), colon > line.startIndex,
            line[..<colon].allSatisfy(isTokenByte)
        else { throw .malformed }
        let isSpace: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        var value = line[(colon + 1)...].drop(while: isSpace)
        while let last = value.last, isSpace(last) { value = value.dropLast() }
        guard value.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else { throw .malformed }
        return (String(decoding: line[..<colon], as: UTF8.self), Array(value))
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        ASCII.isAlphanumeric(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }

    // MARK: The body

    /// RFC 9112 section 6.3.
    private static func framing(
        _ status: Int, _ fields: [(name: String, value: [UInt8])]
    ) throws(ToolResponseError) -> Framing {
        func values(_ name: String) -> [String] {
            fields.filter { ASCII.equalIgnoringCase($0.name, name) }.map { String(decoding: $0.value, as: UTF8.self) }
        }
        if status < 200 || status == 204 || status == 304 { return .length(0) }
        let codings = values("transfer-encoding")
        if !codings.isEmpty {
            guard codings.count == 1, codings[0].asciiLowercased == "chunked" else { throw .malformed }
            return .chunked
        }
        let lengths = Set(values("content-length"))
        guard let length = lengths.first else { return .untilEnd }
        guard lengths.count == 1, length.utf8.allSatisfy(ASCII.isDigit), let count = Int(length) else {
            throw .malformed
        }
        guard count <= mostBodyBytes else { throw .tooLarge }
        return .length(count)
    }

    private mutating func body(of head: Head, isAtEnd: Bool) throws(ToolResponseError) -> [UInt8]? {
        let rest = bytes[head.end...]
        switch head.framing {
        case .length(let count):
            guard rest.count >= count else {
                if isAtEnd { throw .cut }
                return nil
            }
            return Array(rest.prefix(count))
        case .untilEnd:
            guard rest.count <= Self.mostBodyBytes else { throw .tooLarge }
            return isAtEnd ? Array(rest) : nil
        case .chunked:
            if try dechunk() { return dechunked }
            if isAtEnd { throw .cut }
            return nil
        }
    }

    /// Whether the last chunk has come. Later bytes are not read: the connection ends there.
    private mutating func dechunk() throws(ToolResponseError) -> Bool {
        while true {
            let rest = bytes[nextChunk...]
            guard let end = rest.prefix(Self.mostChunkLineBytes).firstIndex(of: UInt8(ascii: "\n")) else {
                guard rest.count < Self.mostChunkLineBytes else { throw .malformed }
                return false
            }
            let digits = rest[..<end].prefix(while: ASCII.isHexDigit)
            let after = rest[digits.endIndex..<end].first
            guard (1...7).contains(digits.count),
                after == nil || after == 0x0D || after == UInt8(ascii: ";") || after == 0x20,
                let size = Int(String(decoding: digits, as: UTF8.self), radix: 16)
            else { throw .malformed }
            if size == 0 { return true }
            guard dechunked.count + size <= Self.mostBodyBytes else { throw .tooLarge }
            let data = end + 1..<end + 1 + size
            // The line break behind a chunk.
            let lineBreak = bytes[min(data.upperBound, bytes.endIndex)...].prefix(2)
            let isShort = lineBreak.first == UInt8(ascii: "\n")
            guard isShort || lineBreak.count == 2 || lineBreak.first.map({ $0 != 0x0D }) == true else { return false }
            guard isShort || lineBreak.elementsEqual([0x0D, 0x0A]) else { throw .malformed }
            dechunked += bytes[data]
            nextChunk = data.upperBound + (isShort ? 1 : 2)
        }
    }
}
