internal import SwitchyardText

/// Header fields, in their order (RFC 9110 section 5). A name stands as it was given and is compared without regard to case.
///
/// What is here can be sent: a value with a line break, or with any other byte that cannot stand in one, does not exist.
public struct Fields: Sendable, ExpressibleByDictionaryLiteral {
    /// What the lines are ranges of. For a request this is its whole head as it came, so that nothing is copied out of it.
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
        // Not generic: the hot path crosses a module's edge here, where generic code would not be specialized.
        reserve(for: value.count)
        let range = append(name)
        let start = bytes.count
        if value.allSatisfy({ ByteClass.isFieldContent($0) }) {
            bytes.append(contentsOf: value)
        } else {
            bytes.append(contentsOf: value.filter { ByteClass.isFieldContent($0) })
        }
        lines.append(Line(name: range, value: start..<bytes.count))
    }

    public mutating func add(_ name: StaticString, _ value: String) {
        reserve(for: value.utf8.count)
        let range = append(name)
        let start = bytes.count
        if value.utf8.allSatisfy({ ByteClass.isFieldContent($0) }) {
            bytes.append(contentsOf: value.utf8)
        } else {
            bytes.append(contentsOf: value.utf8.filter { ByteClass.isFieldContent($0) })
        }
        lines.append(Line(name: range, value: start..<bytes.count))
    }

    /// Adds all of `others` behind what is here.
    public mutating func add(_ others: Fields) {
        guard !lines.isEmpty else {
            self = others
            return
        }
        let offset = bytes.count
        bytes.append(contentsOf: others.bytes)
        for line in others.lines {
            lines.append(
                Line(
                    name: (line.name.lowerBound + offset)..<(line.name.upperBound + offset),
                    value: (line.value.lowerBound + offset)..<(line.value.upperBound + offset)))
        }
    }

    public var count: Int { lines.count }

    /// The value of a field that stands once; the values joined with `, ` when it stands more often.
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

    /// Whether a field whose value is a comma-separated list holds `token`, without regard to case.
    /// - Parameter name: in lower case.
    func list(_ name: StaticString, contains token: String) -> Bool {
        values(name).contains { value in
            value.listElements.contains { $0.trimmingSpaces().asciiLowercased == token }
        }
    }

    func matches(_ line: Line, _ name: StaticString) -> Bool {
        guard line.name.count == name.utf8CodeUnitCount else { return false }
        return name.withUTF8Buffer { wanted in
            for offset in 0..<line.name.count
            where ASCII.lowercased(bytes[line.name.lowerBound + offset]) != (unsafe wanted[offset]) { return false }
            return true
        }
    }

    /// Room for an answer's usual fields at once.
    private mutating func reserve(for count: Int) {
        guard lines.isEmpty else { return }
        bytes.reserveCapacity(192 + count)
        lines.reserveCapacity(8)
    }

    private mutating func append(_ name: StaticString) -> Range<Int> {
        let start = bytes.count
        name.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
        return start..<bytes.count
    }
}
