/// The identifier of an app registration, such as its bundle ID.
///
/// 1 to 128 letters, digits, dots, hyphens and underscores, beginning with a letter or digit: safe in a file name, a
/// header, a log line and a page.
public struct AppID: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    /// nil when `text` is no such identifier.
    public init?(_ text: String) {
        let bytes = text.utf8
        guard (1...128).contains(bytes.count), let first = bytes.first, Self.isAlphanumeric(first),
            bytes.allSatisfy({ Self.isAlphanumeric($0) || ".-_".utf8.contains($0) })
        else { return nil }
        self.text = text
    }

    public var description: String { text }

    private static func isAlphanumeric(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: false
        }
    }
}
