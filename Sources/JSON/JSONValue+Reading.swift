/// The reason why bytes are no JSON, and where that was seen. Lines and columns count from 1, columns in bytes.
public struct JSONError: Error, Equatable, Sendable, CustomStringConvertible {
    public let message: String
    public let line: Int
    public let column: Int

    public var description: String { "\(message) (line \(line), column \(column))" }
}

extension JSONValue {
    /// Reads one JSON text, strictly: UTF-8, no bytes after the value, each name once in an object, at most 64 levels
    /// deep. RFC 8259 section 4 leaves repeated names open; two readers that choose differently are a security hole. An
    /// integer must fit into 64 bits, any other number into a `Double`.
    /// - Throws: ``JSONError``.
    public static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONValue {
        var reader = JSONReader(bytes)
        return try reader.read()
    }
}

/// Goes over a JSON text once, from its first byte to its last. By hand, because the texts of issuers and apps are
/// small and there is one in each step of a sign-in: a library's tree would be built only to be copied into ours.
private struct JSONReader {
    private static let maximumDepth = 64

    private let bytes: [UInt8]
    private var position = 0

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    mutating func read() throws(JSONError) -> JSONValue {
        let value = try value(depth: 0)
        skipSpace()
        guard position == bytes.count else { throw problem("something follows the value") }
        return value
    }

    private mutating func value(depth: Int) throws(JSONError) -> JSONValue {
        guard depth < Self.maximumDepth else { throw problem("nested too deeply") }
        skipSpace()
        switch next {
        case UInt8(ascii: "{"): return .object(try object(depth: depth))
        case UInt8(ascii: "["): return .array(try array(depth: depth))
        case UInt8(ascii: "\""): return .string(try string(isName: false))
        case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return try number()
        case UInt8(ascii: "t"): return try word("true", .bool(true))
        case UInt8(ascii: "f"): return try word("false", .bool(false))
        case UInt8(ascii: "n"): return try word("null", .null)
        case nil: throw problem("the text ends where a value should be")
        default: throw problem("no value begins like this")
        }
    }

    private mutating func word(_ word: StaticString, _ value: JSONValue) throws(JSONError) -> JSONValue {
        for byte in word.description.utf8 {
            guard next == byte else { throw problem("no value is written like this") }
            position += 1
        }
        return value
    }

    // MARK: Objects and arrays

    private mutating func object(depth: Int) throws(JSONError) -> JSONObject {
        var object = JSONObject()
        var names = Names()
        position += 1
        if isTaken(UInt8(ascii: "}")) { return object }
        repeat {
            skipSpace()
            guard next == UInt8(ascii: "\"") else { throw problem("a name is missing") }
            let name = try string(isName: true)
            guard names.isNew(name, in: object) else { throw problem("a name stands twice in one object") }
            guard isTaken(UInt8(ascii: ":")) else { throw problem("a colon is missing") }
            object.append(name, try value(depth: depth + 1))
        } while isTaken(UInt8(ascii: ","))
        guard isTaken(UInt8(ascii: "}")) else { throw problem("a comma or the end of the object is missing") }
        return object
    }

    private mutating func array(depth: Int) throws(JSONError) -> [JSONValue] {
        var elements: [JSONValue] = []
        position += 1
        if isTaken(UInt8(ascii: "]")) { return elements }
        repeat {
            elements.append(try value(depth: depth + 1))
        } while isTaken(UInt8(ascii: ","))
        guard isTaken(UInt8(ascii: "]")) else { throw problem("a comma or the end of the array is missing") }
        return elements
    }

    /// The names of an object so far. A few are compared one by one; many are looked up, or somebody could make
    /// us compare each with each.
    private struct Names {
        private static let few = 16
        private var many: Set<[UInt8]> = []

        mutating func isNew(_ name: String, in object: JSONObject) -> Bool {
            guard object.members.count >= Self.few else { return !object.has(name) }
            if many.isEmpty { many = Set(object.members.map { Array($0.name.utf8) }) }
            return many.insert(Array(name.utf8)).inserted
        }
    }

    // MARK: Strings

    private mutating func string(isName: Bool) throws(JSONError) -> String {
        position += 1
        let start = position
        position = Self.endOfPlainText(bytes.span, from: start)
        // Most texts are written as they are, and taken in one piece.
        if next == UInt8(ascii: "\"") {
            defer { position += 1 }
            return try text(bytes.span.extracting(start..<position))
        }
        return try escapedString(from: start, isName: isName)
    }

    /// The position of the first special byte: a quotation mark, a backslash, a control character, the end.
    private static func endOfPlainText(_ bytes: Span<UInt8>, from start: Int) -> Int {
        var index = start
        // Long texts are tokens. A loop that looks at everything takes many bytes at a time.
        while index + 32 <= bytes.count {
            let block = bytes.extracting(index..<index + 32)
            var ends: UInt8 = 0
            for place in 0..<32 { ends |= isEnd(block[place]) }
            if ends != 0 { break }
            index += 32
        }
        while index < bytes.count, isEnd(bytes[index]) == 0 { index += 1 }
        return index
    }

    /// 1 or 0, so that it needs no branch.
    @inline(__always)
    private static func isEnd(_ byte: UInt8) -> UInt8 {
        (byte == UInt8(ascii: "\"") ? 1 : 0) | (byte == UInt8(ascii: "\\") ? 1 : 0) | (byte < 0x20 ? 1 : 0)
    }

    private mutating func escapedString(from start: Int, isName: Bool) throws(JSONError) -> String {
        var content = Array(bytes[start..<position])
        while true {
            switch next {
            case UInt8(ascii: "\""):
                // C libraries would take it for the end of the name.
                guard !isName || !content.contains(0) else { throw problem("a name holds a null character") }
                defer { position += 1 }
                return try text(content.span)
            case UInt8(ascii: "\\"):
                position += 1
                try appendEscape(to: &content)
            case nil: throw problem("the text ends within a string")
            case .some(0..<0x20): throw problem("a string holds a control character")
            case .some(let byte):
                content.append(byte)
                position += 1
            }
        }
    }

    private mutating func appendEscape(to content: inout [UInt8]) throws(JSONError) {
        guard let letter = next else { throw problem("the text ends within a string") }
        position += 1
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): content.append(letter)
        case UInt8(ascii: "b"): content.append(0x08)
        case UInt8(ascii: "f"): content.append(0x0C)
        case UInt8(ascii: "n"): content.append(0x0A)
        case UInt8(ascii: "r"): content.append(0x0D)
        case UInt8(ascii: "t"): content.append(0x09)
        case UInt8(ascii: "u"): content += String(Character(try scalar())).utf8
        default: throw problem("there is no such escape")
        }
    }

    /// The character of one `\u` escape, or of a surrogate pair (RFC 8259 section 7).
    private mutating func scalar() throws(JSONError) -> Unicode.Scalar {
        let unit = try hexadecimal()
        guard (0xD800..<0xDC00).contains(unit) else {
            guard let scalar = Unicode.Scalar(unit) else { throw problem("half of a surrogate pair") }
            return scalar
        }
        guard next == UInt8(ascii: "\\"), position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "u") else {
            throw problem("half of a surrogate pair")
        }
        position += 2
        let low = try hexadecimal()
        guard (0xDC00..<0xE000).contains(low),
            let scalar = Unicode.Scalar(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00))
        else { throw problem("half of a surrogate pair") }
        return scalar
    }

    private mutating func hexadecimal() throws(JSONError) -> UInt32 {
        var number: UInt32 = 0
        for _ in 0..<4 {
            guard let digit = next.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
                throw problem("an escape without its four hexadecimal digits")
            }
            number = number << 4 | UInt32(digit)
            position += 1
        }
        return number
    }

    private func text(_ content: Span<UInt8>) throws(JSONError) -> String {
        do throws(UTF8.ValidationError) {
            return String(copying: try UTF8Span(validating: content))
        } catch {
            throw problem("a string is no UTF-8")
        }
    }

    // MARK: Numbers

    private mutating func number() throws(JSONError) -> JSONValue {
        let start = position
        if next == UInt8(ascii: "-") { position += 1 }
        let isZero = next == UInt8(ascii: "0")
        let firstDigit = position
        try skipDigits()
        guard !isZero || position == firstDigit + 1 else { throw problem("a number begins with a zero") }
        var isWhole = true
        if next == UInt8(ascii: ".") {
            isWhole = false
            position += 1
            try skipDigits()
        }
        if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
            isWhole = false
            position += 1
            if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
            try skipDigits()
        }
        let text = String(decoding: bytes[start..<position], as: UTF8.self)
        if isWhole { return Int64(text).map(JSONValue.integer) ?? .largeNumber(text) }
        guard let value = Double(text), value.isFinite else { return .largeNumber(text) }
        return .number(value)
    }

    /// One at least.
    private mutating func skipDigits() throws(JSONError) {
        let start = position
        while let byte = next, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
        guard position > start else { throw problem("a number without a digit where one has to be") }
    }

    // MARK: Shared steps

    private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
    }

    /// Goes over white space, and over the byte if it comes next.
    private mutating func isTaken(_ byte: UInt8) -> Bool {
        skipSpace()
        guard next == byte else { return false }
        position += 1
        return true
    }

    private func problem(_ message: String) -> JSONError {
        let before = bytes[..<min(position, bytes.count)]
        let line = before.count { $0 == 0x0A } + 1
        let column = before.count - (before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0) + 1
        return JSONError(message: message, line: line, column: column)
    }
}
