/// A redirect URI as a client gave it. Any is accepted that a browser could be sent to: nothing is registered here.
struct ClientRedirectURI: Sendable {
    let text: String

    /// Schemes that run code in the page that holds the link.
    private static let scriptSchemes = ["javascript", "data", "vbscript"]

    /// nil without a scheme (RFC 3986 section 3.1), with a fragment (RFC 6749 section 3.1.2), or with anything but visible
    /// ASCII.
    init?(_ text: String) {
        guard let colon = text.firstIndex(of: ":"), text.index(after: colon) < text.endIndex,
            text.utf8.allSatisfy({ (0x21...0x7E).contains($0) }), !text.contains("#")
        else { return nil }
        let scheme = text[..<colon].lowercased()
        guard let first = scheme.first, first.isLetter, scheme.dropFirst().allSatisfy(Self.isSchemeCharacter),
            !Self.scriptSchemes.contains(scheme)
        else { return nil }
        self.text = text
    }

    private static func isSchemeCharacter(_ character: Character) -> Bool {
        character.isLetter || character.isWholeNumber || "+-.".contains(character)
    }
}
