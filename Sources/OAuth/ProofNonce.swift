internal import SwitchyardText

/// A nonce that a server wants in the next proof of possession (RFC 9449 section 8).
public struct ProofNonce: Hashable, Sendable {
    /// In bytes.
    public static let maximumLength = 1024

    public let text: String

    /// nil for an empty text, one that is too long, and for characters that the RFC does not allow (section 8.1).
    public init?(_ text: String) {
        guard (1...Self.maximumLength).contains(text.utf8.count),
            text.allBytes({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") })
        else { return nil }
        self.text = text
    }
}

/// Whether the tokens of an app are bound to a key (RFC 9449).
public enum BindingPolicy: String, CaseIterable, Sendable {
    case off
    /// If the app's client document, or the metadata of a resource, demand it.
    case auto
    case required
}
