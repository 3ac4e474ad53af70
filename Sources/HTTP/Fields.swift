internal import SwitchyardText

/// Header fields, in their order (RFC 9110 section 5). A name keeps its given form and is compared without regard to
/// case.
///
/// Every value of this type can be sent: values with a line break, or with another byte that a field cannot hold, do
/// not exist.
public struct Fields: Sendable, ExpressibleByDictionaryLiteral {
    /// The bytes that the lines are ranges of: whole lines as HTTP/1 writes them, so that its codec takes them in one
    /// piece. For a request this is its whole head as it came, so that no part is copied.
    var bytes: [UInt8] = []
    var lines: [Line] = []

    struct Line: Sendable {
        let name: Range<Int>
        let value: Range<Int>
    }

    public init() {}

    public init(dictionaryLiteral elements: (StaticString, String)...) {
        for (name, value) in elements { add(name, value) }
    }

    /// Adds a field. Bytes that cannot stand in a value (RFC 9110 section 5.5), line breaks among them, are left out.
    public mutating func add(_ name: StaticString, _ value: [UInt8]) {
        add(name, value, [])
    }

    /// Adds a field with a value in two parts.
    public mutating func add(_ name: StaticString, _ value: [UInt8], _ rest: ArraySlice<UInt8>) {
        // Not generic: the hot path crosses a module's edge here, where generic code would not be specialized.
        let (range, start) = begin(name, count: value.count + rest.count)
        if Self.isContent(value.span) {
            bytes.append(contentsOf: value)
        } else {
            bytes.append(contentsOf: value.filter { ByteClass.isFieldContent($0) })
        }
        if Self.isContent(rest.span) {
            bytes.append(contentsOf: rest)
        } else {
            bytes.append(contentsOf: rest.filter { ByteClass.isFieldContent($0) })
        }
        end(range, start)
    }

    /// As for bytes: the value's UTF-8.
    public mutating func add(_ name: StaticString, _ value: String) {
        let (range, start) = begin(name, count: value.utf8.count)
        if Self.isContent(value.utf8.span) {
            bytes.append(contentsOf: value.utf8)
        } else {
            bytes.append(contentsOf: value.utf8.filter { ByteClass.isFieldContent($0) })
        }
        end(range, start)
    }

    /// Adds a field with a foreign name; ignores it if the name is not valid (RFC 9110 section 5.1).
    public mutating func add(named name: String, _ value: [UInt8]) {
        let name = Array(name.utf8)
        guard !name.isEmpty, name.allSatisfy({ ByteClass.isToken($0) }) else { return }
        let start = bytes.count
        bytes += name
        let range = start..<bytes.count
        append(lineBreak: false)
        let begin = bytes.count
        bytes += value.filter { ByteClass.isFieldContent($0) }
        end(range, begin)
    }

    /// Every field, in order, as it came.
    public var all: [(name: String, value: [UInt8])] {
        lines.map { (String(decoding: bytes[$0.name], as: UTF8.self), Array(bytes[$0.value])) }
    }

    /// Adds all of `others` behind what is here.
    public mutating func add(_ others: Fields) {
        guard !lines.isEmpty else {
            self = others
            return
        }
        guard let section = others.section else { return }
        let offset = bytes.count - section.startIndex
        bytes.append(contentsOf: section)
        append(lineBreak: true)
        for line in others.lines {
            lines.append(
                Line(
                    name: (line.name.lowerBound + offset)..<(line.name.upperBound + offset),
                    value: (line.value.lowerBound + offset)..<(line.value.upperBound + offset)))
        }
    }

    /// All lines as HTTP/1 writes them, without the last line break; nil without a line.
    var section: ArraySlice<UInt8>? {
        guard let first = lines.first, let last = lines.last else { return nil }
        return bytes[first.name.lowerBound..<last.value.upperBound]
    }

    public var count: Int { lines.count }

    /// The value of a field; the values of a repeated field, joined with `, `.
    /// - Parameter name: in lower case.
    public subscript(_ name: StaticString) -> String? {
        let values = values(name)
        guard let first = values.first else { return nil }
        return values.count == 1 ? first : values.joined(separator: ", ")
    }

    /// Every value of a field, in order.
    /// - Parameter name: in lower case.
    public func values(_ name: StaticString) -> [String] {
        var values: [String] = []
        for line in lines where matches(line, name) {
            values.append(String(decoding: bytes[line.value], as: UTF8.self))
        }
        return values
    }

    /// - Parameter name: in lower case.
    public func contains(_ name: StaticString) -> Bool {
        lines.contains { matches($0, name) }
    }

    /// Whether every line of a field has this value, byte for byte; true without such a line. Does not allocate: every
    /// callback is asked.
    /// - Parameter name: in lower case.
    func holdsOnly(_ value: StaticString, in name: StaticString) -> Bool {
        for line in lines where matches(line, name) && !isEqual(line.value, value) { return false }
        return true
    }

    /// Whether a field with a comma-separated list holds `token`, without regard to case.
    /// - Parameter name: in lower case.
    func list(_ name: StaticString, contains token: StaticString) -> Bool {
        for line in lines where matches(line, name) {
            var start = line.value.lowerBound
            for end in line.value.lowerBound...line.value.upperBound
            where end == line.value.upperBound || bytes[end] == UInt8(ascii: ",") {
                if isWord(trimmed(start..<end), token) { return true }
                start = end + 1
            }
        }
        return false
    }

    private func trimmed(_ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, bytes[start] == UInt8(ascii: " ") || bytes[start] == UInt8(ascii: "\t") { start += 1 }
        while start < end, bytes[end - 1] == UInt8(ascii: " ") || bytes[end - 1] == UInt8(ascii: "\t") { end -= 1 }
        return start..<end
    }

    func matches(_ line: Line, _ name: StaticString) -> Bool { isWord(line.name, name) }

    private func isEqual(_ range: Range<Int>, _ text: StaticString) -> Bool {
        guard range.count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { wanted in
            for offset in 0..<range.count where bytes[range.lowerBound + offset] != (unsafe wanted[offset]) {
                return false
            }
            return true
        }
    }

    /// Without regard to case.
    /// - Parameter word: in lower case.
    private func isWord(_ range: Range<Int>, _ word: StaticString) -> Bool {
        guard range.count == word.utf8CodeUnitCount else { return false }
        return word.withUTF8Buffer { wanted in
            for offset in 0..<range.count
            where ASCII.lowercased(bytes[range.lowerBound + offset]) != (unsafe wanted[offset]) { return false }
            return true
        }
    }

    /// - Returns: the place of the name, and the start of the value.
    private mutating func begin(_ name: StaticString, count: Int) -> (name: Range<Int>, value: Int) {
        if lines.isEmpty {
            // Room for an answer's usual fields at once.
            bytes.reserveCapacity(192 + count)
            lines.reserveCapacity(8)
        }
        let start = bytes.count
        name.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
        let range = start..<bytes.count
        append(lineBreak: false)
        return (range, bytes.count)
    }

    private mutating func end(_ name: Range<Int>, _ value: Int) {
        lines.append(Line(name: name, value: value..<bytes.count))
        append(lineBreak: true)
    }

    /// Appends the bytes behind a value, or between name and value.
    private mutating func append(lineBreak: Bool) {
        bytes.append(lineBreak ? UInt8(ascii: "\r") : UInt8(ascii: ":"))
        bytes.append(lineBreak ? UInt8(ascii: "\n") : UInt8(ascii: " "))
    }

    /// Whether all of it may stand in a value, as ``ByteClass/isFieldContent(_:)`` says of one byte. Without a branch:
    /// a loop that looks at everything takes many bytes at a time.
    private static func isContent(_ bytes: Span<UInt8>) -> Bool {
        var foreign: UInt8 = 0
        for index in 0..<bytes.count {
            let byte = bytes[index]
            foreign |= (byte < 0x20 ? 1 : 0) & (byte == 0x09 ? 0 : 1) | (byte == 0x7F ? 1 : 0)
        }
        return foreign == 0
    }
}
