internal import SwitchyardText

/// A well-known name on a message bus, such as `com.contoso.Mail`, that an app may have (D-Bus specification, "bus names").
public struct BusName: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    /// nil when `text` is no such name.
    public init?(_ text: String) {
        let elements = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard text.utf8.count <= 255, elements.count >= 2, elements.allSatisfy(Self.isElement) else { return nil }
        self.text = text
    }

    public var description: String { text }

    /// The object path of an app of this name (Desktop Entry specification, "D-Bus activation").
    public var objectPath: String {
        "/" + text.map { $0 == "." ? "/" : $0 == "-" ? "_" : String($0) }.joined()
    }

    private static func isElement(_ element: Substring.UTF8View.SubSequence) -> Bool {
        guard let first = element.first, !ASCII.isDigit(first) else { return false }
        return element.allSatisfy { ASCII.isAlphanumeric($0) || "_-".utf8.contains($0) }
    }
}
