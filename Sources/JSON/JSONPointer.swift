internal import SwitchyardText

/// A JSON pointer (RFC 6901): the place of one value in a document.
public struct JSONPointer: Hashable, Sendable, CustomStringConvertible {
    /// The pointer as it was written, such as `/authed_user/id`. Empty for the whole document.
    public let text: String
    private let steps: [String]

    /// nil for a text that is no pointer: one that is not empty and does not begin with `/`, or that has a `~` without
    /// `0` or `1` behind it.
    public init?(_ text: String) {
        guard text.isEmpty || text.utf8.first == UInt8(ascii: "/") else { return nil }
        var steps: [String] = []
        for part in text.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
            guard let step = Self.unescape(part) else { return nil }
            steps.append(step)
        }
        self.text = text
        self.steps = steps
    }

    /// The value at this place of `document`; nil without one.
    public func value(in document: JSONValue) -> JSONValue? {
        var value = document
        for step in steps {
            switch value {
            case .object(let object):
                guard let member = object[step] else { return nil }
                value = member
            case .array(let elements):
                // RFC 6901 section 4: digits without leading zeros.
                guard let index = Int(step), String(index) == step, elements.indices.contains(index) else { return nil }
                value = elements[index]
            case .null, .bool, .integer, .number, .largeNumber, .string: return nil
            }
        }
        return value
    }

    /// Whether the pointer names a member of the document with this name, or a value inside of it.
    public func isBelow(_ name: String) -> Bool { steps.first?.isExactly(name) ?? false }

    public var description: String { text }

    private static func unescape(_ part: Substring) -> String? {
        var text = ""
        var rest = part.unicodeScalars
        while let scalar = rest.popFirst() {
            guard scalar == "~" else {
                text.unicodeScalars.append(scalar)
                continue
            }
            switch rest.popFirst() {
            case "0": text.unicodeScalars.append("~")
            case "1": text.unicodeScalars.append("/")
            default: return nil
            }
        }
        return text
    }
}
