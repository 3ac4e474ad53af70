internal import SwitchyardText

/// The identifier of an app registration, such as its bundle ID.
///
/// 1 to 128 letters, digits, dots, hyphens and underscores, beginning with a letter or digit: safe in a file name, a
/// header, a log line and a page.
public struct AppID: Hashable, Sendable, CustomStringConvertible {
    public let text: String

    /// nil when `text` is no such identifier.
    public init?(_ text: String) {
        guard (1...128).contains(text.utf8.count), let first = text.utf8.first, ASCII.isAlphanumeric(first),
            text.allBytes({ byte in
                ASCII.isAlphanumeric(byte) || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "-")
                    || byte == UInt8(ascii: "_")
            })
        else { return nil }
        self.text = text
    }

    public var description: String { text }
}
