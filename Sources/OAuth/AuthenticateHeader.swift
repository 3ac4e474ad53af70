internal import SwitchyardText

/// The challenges of a `WWW-Authenticate` header (RFC 9110 section 11.6.1), read strictly: a header that cannot be read
/// to its end has no challenges.
public struct AuthenticateHeader: Sendable {
    public struct Challenge: Sendable {
        /// In lower case.
        public let scheme: String
        /// The parameters by names in lower case. A duplicate makes the challenge unreadable.
        public internal(set) var parameters: [String: String] = [:]
    }

    public private(set) var challenges: [Challenge] = []

    private static let maximumLength = 16 * 1024

    public init?(_ text: String) {
        guard text.utf8.count <= Self.maximumLength else { return nil }
        var reader = Reader(bytes: Array(text.utf8))
        while true {
            reader.skipSeparators()
            if reader.isAtEnd { return }
            guard var name = reader.token() else { return nil }
            let hadSpace = reader.skipSpaces()
            if !reader.take("=") {
                challenges.append(Challenge(scheme: name.asciiLowercased))
                if hadSpace { reader.skipToken68() }
                if reader.isAtEnd || reader.isAtComma { continue }
                // Its first parameter, the only one without a comma before it.
                guard let first = reader.token() else { return nil }
                reader.skipSpaces()
                guard reader.take("=") else { return nil }
                name = first
            }
            reader.skipSpaces()
            guard !challenges.isEmpty, let value = reader.value(),
                challenges[challenges.count - 1].parameters.updateValue(value, forKey: name.asciiLowercased) == nil
            else { return nil }
            reader.skipSpaces()
            guard reader.isAtEnd || reader.isAtComma else { return nil }
        }
    }
}

/// Walks over the bytes of a header.
private struct Reader {
    let bytes: [UInt8]
    private var position = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    var isAtEnd: Bool { position >= bytes.count }
    var isAtComma: Bool { !isAtEnd && bytes[position] == UInt8(ascii: ",") }

    mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard !isAtEnd, bytes[position] == UInt8(ascii: character) else { return false }
        position += 1
        return true
    }

    @discardableResult
    mutating func skipSpaces() -> Bool {
        let start = position
        while !isAtEnd, bytes[position] == 0x20 || bytes[position] == 0x09 { position += 1 }
        return position > start
    }

    mutating func skipSeparators() {
        while !isAtEnd, [0x20, 0x09, UInt8(ascii: ",")].contains(bytes[position]) { position += 1 }
    }

    mutating func token() -> String? {
        let start = position
        while !isAtEnd, Self.isTokenByte(bytes[position]) { position += 1 }
        return position > start ? String(decoding: bytes[start..<position], as: UTF8.self) : nil
    }

    /// A token, or a quoted string without its quotes and escapes; nil for one that does not end.
    mutating func value() -> String? {
        guard take("\"") else { return token() }
        var content: [UInt8] = []
        while !isAtEnd {
            var byte = bytes[position]
            position += 1
            if byte == UInt8(ascii: "\"") { return String(validating: content, as: UTF8.self) }
            if byte == UInt8(ascii: "\\") {
                guard !isAtEnd else { return nil }
                byte = bytes[position]
                position += 1
            }
            content.append(byte)
        }
        return nil
    }

    /// Skips the token68 that some schemes have in place of parameters: base64, with only spaces up to a comma or the
    /// end.
    mutating func skipToken68() {
        var end = position
        while end < bytes.count, Self.isTokenByte(bytes[end]) || bytes[end] == UInt8(ascii: "/") { end += 1 }
        while end < bytes.count, bytes[end] == UInt8(ascii: "=") { end += 1 }
        while end < bytes.count, bytes[end] == 0x20 || bytes[end] == 0x09 { end += 1 }
        if end == bytes.count || bytes[end] == UInt8(ascii: ",") { position = end }
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
        }
    }
}
