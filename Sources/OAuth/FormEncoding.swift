internal import SwitchyardText

/// The reason why bytes are not `application/x-www-form-urlencoded`.
public enum FormEncodingError: Error, Hashable, Sendable {
    /// A percent sign without two hexadecimal digits.
    case invalidEscape
    /// A raw byte that must be escaped: a space, a control or a byte outside ASCII.
    case unescapedByte
    /// A name or value is no UTF-8 once it is decoded.
    case notUTF8
    case tooManyFields
}

/// `application/x-www-form-urlencoded` (RFC 6749 appendix B): of queries, contents, and credentials for HTTP Basic.
public enum FormEncoding {
    /// Decodes the fields in their order. `+` is a space; a value keeps its further `=`; a name without `=` has an
    /// empty value; an empty part between two `&` is skipped.
    /// - Throws: ``FormEncodingError``. Malformed fields are neither repaired nor skipped.
    public static func decode(_ bytes: [UInt8], maximumFields: Int = 100) throws(FormEncodingError) -> [FormField] {
        var fields: [FormField] = []
        var scratch: [UInt8] = []
        var start = 0
        while start < bytes.count {
            var equals: Int?
            var end = start
            while end < bytes.count, bytes[end] != UInt8(ascii: "&") {
                if equals == nil, bytes[end] == UInt8(ascii: "=") { equals = end }
                end += 1
            }
            if end > start {
                guard fields.count < maximumFields else { throw .tooManyFields }
                let nameEnd = equals ?? end
                let name = try decode(bytes, start..<nameEnd, &scratch)
                let value = try decode(bytes, min(nameEnd + 1, end)..<end, &scratch)
                fields.append(FormField(name, value))
            }
            start = end + 1
        }
        return fields
    }

    /// Encodes pairs in their order, joined by `&`.
    public static func encode(_ pairs: [(String, String)]) -> [UInt8] {
        var out: [UInt8] = []
        out.reserveCapacity(pairs.reduce(0) { $0 + $1.0.utf8.count + $1.1.utf8.count + 8 })
        for (index, pair) in pairs.enumerated() {
            if index > 0 { out.append(UInt8(ascii: "&")) }
            encode(pair.0, to: &out)
            out.append(UInt8(ascii: "="))
            encode(pair.1, to: &out)
        }
        return out
    }

    /// Encodes one name or value.
    public static func encode(_ text: String) -> String {
        var out: [UInt8] = []
        encode(text, to: &out)
        return String(decoding: out, as: UTF8.self)
    }

    private static func decode(
        _ bytes: [UInt8], _ range: Range<Int>, _ scratch: inout [UInt8]
    ) throws(FormEncodingError) -> String {
        // Most names and values hold no encoded characters.
        if bytes[range].allSatisfy(isPlain) { return String(decoding: bytes[range], as: UTF8.self) }
        scratch.removeAll(keepingCapacity: true)
        var index = range.lowerBound
        while index < range.upperBound {
            switch bytes[index] {
            case UInt8(ascii: "+"): scratch.append(UInt8(ascii: " "))
            case UInt8(ascii: "%"):
                guard index + 2 < range.upperBound, let high = ASCII.hexValue(bytes[index + 1]),
                    let low = ASCII.hexValue(bytes[index + 2])
                else { throw .invalidEscape }
                scratch.append(high << 4 | low)
                index += 2
            case 0...0x20, 0x7F...: throw .unescapedByte
            case let byte: scratch.append(byte)
            }
            index += 1
        }
        guard let text = String(validating: scratch, as: UTF8.self) else { throw .notUTF8 }
        return text
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        (0x21..<0x7F).contains(byte) && byte != UInt8(ascii: "+") && byte != UInt8(ascii: "%")
    }

    private static func encode(_ text: String, to out: inout [UInt8]) {
        let bytes = text.utf8.span
        // Most values are tokens, which go in one piece.
        if areAllPlain(bytes) {
            out.append(contentsOf: text.utf8)
            return
        }
        out.append(addingCapacity: 3 * bytes.count) { out in
            for index in 0..<bytes.count {
                let byte = bytes[index]
                if standsAsItIs(byte) == 1 {
                    out.append(byte)
                } else if byte == UInt8(ascii: " ") {
                    out.append(UInt8(ascii: "+"))
                } else {
                    out.append(UInt8(ascii: "%"))
                    out.append(hexDigit(byte >> 4))
                    out.append(hexDigit(byte & 15))
                }
            }
        }
    }

    /// Without a branch: a loop that looks at everything takes many bytes at a time.
    private static func areAllPlain(_ bytes: Span<UInt8>) -> Bool {
        var foreign: UInt8 = 0
        for index in 0..<bytes.count { foreign |= standsAsItIs(bytes[index]) ^ 1 }
        return foreign == 0
    }

    /// 1 or 0, so that it needs no branch.
    @inline(__always)
    private static func standsAsItIs(_ byte: UInt8) -> UInt8 {
        let isMark: UInt8 =
            (byte == UInt8(ascii: "-") ? 1 : 0) | (byte == UInt8(ascii: ".") ? 1 : 0)
            | (byte == UInt8(ascii: "_") ? 1 : 0) | (byte == UInt8(ascii: "*") ? 1 : 0)
        return isMark | ((byte | 0x20) &- 97 < 26 ? 1 : 0) | (byte &- 48 < 10 ? 1 : 0)
    }

    private static func hexDigit(_ value: UInt8) -> UInt8 { value + (value < 10 ? 48 : 55) }
}

/// One name with its value. The value may be a code or a state, so it does not print.
public struct FormField: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
    public let name: String
    public let value: String

    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }

    public var description: String { "\(name)=[redacted]" }
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}
