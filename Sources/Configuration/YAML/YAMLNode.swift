/// One value of a YAML document, with the place where it begins.
///
/// A scalar stays text. The code that asks for it decides whether it is a number, a duration or a URI, so a client ID
/// of digits or a mode of `0660` keeps its shape.
struct YAMLNode: Sendable {
    enum Content: Sendable {
        /// `quoted` tells `""` and `"null"`, which are text, from an absent value.
        case scalar(String, quoted: Bool)
        case sequence([YAMLNode])
        /// The entries in the order of the file, with unique keys.
        case mapping([YAMLEntry])
    }

    fileprivate let document: YAMLDocument
    /// Among the document's items.
    fileprivate let position: UInt32
    /// Whether it belongs to a key, which then is the item before it.
    fileprivate let hasKey: Bool

    fileprivate init(_ document: YAMLDocument, _ position: UInt32, hasKey: Bool) {
        self.document = document
        self.position = position
        self.hasKey = hasKey
    }

    private var item: YAMLDocument.Item { document.items[Int(position)] }

    var mark: Mark { item.mark }

    /// Takes the whole content out of the document. Code that reads many values uses ``scalar``, ``elements`` and
    /// ``entries``.
    var content: Content {
        switch item.kind {
        case .plain, .quoted: .scalar(document.text(at: position), quoted: item.kind == .quoted)
        case .sequence: .sequence(Array(elements))
        case .mapping: .mapping(Array(entries))
        }
    }

    var isScalar: Bool { item.kind == .plain || item.kind == .quoted }
    var isSequence: Bool { item.kind == .sequence }
    var isMapping: Bool { item.kind == .mapping }

    /// The text of a single value; nil for a list or a mapping.
    var scalar: String? { isScalar ? document.text(at: position) : nil }

    /// The elements of a list; empty for a value of another kind.
    var elements: YAMLElements { YAMLElements(of: self, end: isSequence ? document.end(of: position) : position + 1) }

    /// The entries of a mapping; empty for a value of another kind.
    var entries: YAMLEntries { YAMLEntries(of: self, end: isMapping ? document.end(of: position) : position + 1) }

    /// The entry of which only the position was kept.
    func entry(at position: UInt32) -> YAMLEntry { YAMLEntry(document, position) }

    /// The key that it is the value of, for the words of a message; nil for the root and for elements of a list.
    var key: String? { hasKey ? document.text(at: position - 1) : nil }

    /// The beginning of a message about this value: the key, when there is one.
    var label: String { key.map { "\($0): " } ?? "" }

    /// Whether the value is absent: `key:`, `~` or `null`.
    var isNull: Bool {
        // Most are longer, which is seen at a glance.
        guard item.kind == .plain, item.length <= 4 else { return false }
        return ["", "~", "null"].contains(document.text(at: position))
    }

    /// Whether it is a list without elements.
    var isEmptyList: Bool { isSequence && item.length == 0 }

    /// The kind of value, in the words of an error message.
    var kindName: String {
        switch item.kind {
        case .plain, .quoted: isNull ? "nothing" : "a single value"
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }
}

/// One key of a mapping, and its value.
struct YAMLEntry: Sendable {
    private let document: YAMLDocument
    /// The position of the key among the document's items; its value is the next item.
    let position: UInt32

    fileprivate init(_ document: YAMLDocument, _ position: UInt32) {
        self.document = document
        self.position = position
    }

    var key: String { document.text(at: position) }
    var keyMark: Mark { document.items[Int(position)].mark }
    var value: YAMLNode { YAMLNode(document, position + 1, hasKey: true) }

    /// Whether its key is this one.
    func isOf(_ key: String) -> Bool { document.isText(at: position, key) }
}

/// The elements of a list, one after the other.
struct YAMLElements: Sequence, IteratorProtocol {
    private let document: YAMLDocument
    private var position: UInt32
    private let end: UInt32

    fileprivate init(of node: YAMLNode, end: UInt32) {
        document = node.document
        position = node.position + 1
        self.end = end
    }

    mutating func next() -> YAMLNode? {
        guard position < end else { return nil }
        defer { position = document.end(of: position) }
        return YAMLNode(document, position, hasKey: false)
    }
}

/// The entries of a mapping, one after the other.
struct YAMLEntries: Sequence, IteratorProtocol {
    private let document: YAMLDocument
    private var position: UInt32
    private let end: UInt32

    fileprivate init(of node: YAMLNode, end: UInt32) {
        document = node.document
        position = node.position + 1
        self.end = end
    }

    mutating func next() -> YAMLEntry? {
        guard position < end else { return nil }
        defer { position = document.end(of: position + 1) }
        return YAMLEntry(document, position)
    }
}

/// The content of a YAML file in two arrays: every key and value in the order of the file, and the text of all of them.
///
/// There may be 100,000 apps of a dozen values each. Values with memory of their own would take longer to make and free
/// than to read.
final class YAMLDocument: Sendable {
    struct Item {
        enum Kind: UInt8 { case plain, quoted, sequence, mapping }

        let kind: Kind
        let mark: Mark
        /// The start of a scalar's text.
        var start: UInt32 = 0
        /// The bytes of a scalar, or how many items are inside a list or a mapping, at any depth.
        var length: UInt32 = 0
    }

    fileprivate let items: [Item]
    private let text: [UInt8]

    /// - Parameter items: never empty. The first is the root, and all others are inside it.
    init(items: [Item], text: [UInt8]) {
        self.items = items
        self.text = text
    }

    /// A mapping without keys.
    static let empty = YAMLDocument(items: [Item(kind: .mapping, mark: .start)], text: [])

    var root: YAMLNode { YAMLNode(self, 0, hasKey: false) }

    fileprivate func text(at position: UInt32) -> String {
        let item = items[Int(position)]
        return String(decoding: text[Int(item.start)..<Int(item.start + item.length)], as: UTF8.self)
    }

    /// Whether the text of a scalar is this one, byte for byte.
    fileprivate func isText(at position: UInt32, _ other: String) -> Bool {
        let (item, other) = (items[Int(position)], other.utf8.span)
        guard Int(item.length) == other.count else { return false }
        for index in other.indices where text[Int(item.start) + index] != other[index] { return false }
        return true
    }

    /// The first item behind this one and all that is inside it.
    fileprivate func end(of position: UInt32) -> UInt32 {
        let item = items[Int(position)]
        switch item.kind {
        case .plain, .quoted: return position + 1
        case .sequence, .mapping: return position + 1 + item.length
        }
    }
}

/// A place in a file: line and column, counted from 1, the column in characters.
struct Mark: Hashable, Sendable {
    let line: UInt32
    let column: UInt32

    static let start = Mark(line: 1, column: 1)
}
