/// A property list of Apple's systems in XML, as far as an `Info.plist` needs it: texts, lists and dictionaries. Other
/// values are read and ignored. Our own code reads it, because a file of this size does not justify a C library that
/// must be kept patched. The binary form is refused: `plutil` converts it.
indirect enum PropertyList: Hashable, Sendable {
    case text(String)
    case list([PropertyList])
    /// A key that stands twice has its first value.
    case dictionary([String: PropertyList])
    /// A number, a date, data, true or false.
    case other

    /// The reason why a file is no property list.
    struct ReadingError: Error, Hashable, CustomStringConvertible {
        let description: String

        init(_ description: String) { self.description = description }
    }

    /// Real lists are less deep; a deeper one would exhaust the stack.
    static let maximumDepth = 32

    init(_ bytes: [UInt8]) throws(ReadingError) {
        guard !Self.isBinary(bytes) else {
            throw ReadingError("it is a binary property list; convert it to XML: plutil -convert xml1 FILE")
        }
        var reader = XMLPropertyList(bytes)
        self = try reader.read()
    }

    /// Whether a file means to be one.
    static func isOne(_ bytes: [UInt8]) -> Bool {
        if isBinary(bytes) { return true }
        var start = bytes[...]
        if start.starts(with: [0xEF, 0xBB, 0xBF]) { start = start.dropFirst(3) }
        return start.first { !XMLPropertyList.isSpace($0) } == UInt8(ascii: "<")
    }

    private static func isBinary(_ bytes: [UInt8]) -> Bool { bytes.starts(with: "bplist".utf8) }

    subscript(key: String) -> PropertyList? {
        guard case .dictionary(let entries) = self else { return nil }
        return entries[key]
    }

    var text: String? {
        guard case .text(let text) = self else { return nil }
        return text
    }

    var list: [PropertyList]? {
        guard case .list(let list) = self else { return nil }
        return list
    }
}
