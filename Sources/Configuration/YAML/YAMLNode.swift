/// One value of a YAML document, with the place where it begins.
///
/// A scalar stays text: what it means (a number, a duration, a URI) is the business of whoever asks for it, so that a
/// client ID of digits or a mode of `0660` never loses its shape.
struct YAMLNode: Sendable {
    enum Content: Sendable {
        /// `quoted` tells `""` and `"null"`, which are text, from nothing at all.
        case scalar(String, quoted: Bool)
        case sequence([YAMLNode])
        /// In the order of the file; a key stands in it once.
        case mapping([YAMLEntry])
    }

    let content: Content
    let mark: Mark
    /// The key that it is the value of, for the words of a message; nil for the root and for elements of a list.
    var key: String?

    /// The beginning of a message about this value: the key, when there is one.
    var label: String { key.map { "\($0): " } ?? "" }

    /// Nothing was written: `key:`, `~` or `null`.
    var isNull: Bool {
        guard case .scalar(let text, quoted: false) = content else { return false }
        // Most are longer, which is seen at a glance.
        return text.utf8.count <= 4 && (text.isEmpty || text == "~" || text == "null")
    }

    /// A list was written, with nothing in it.
    var isEmptyList: Bool {
        guard case .sequence(let elements) = content else { return false }
        return elements.isEmpty
    }

    /// What kind of value this is, in the words of an error message.
    var kindName: String {
        switch content {
        case .scalar: isNull ? "nothing" : "a single value"
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }
}

/// One key of a mapping, and its value.
struct YAMLEntry: Sendable {
    let key: String
    let keyMark: Mark
    let value: YAMLNode
}

/// A place in a file: line and column, counted from 1, the column in characters.
struct Mark: Hashable, Sendable {
    let line: UInt32
    let column: UInt32

    static let start = Mark(line: 1, column: 1)
}
