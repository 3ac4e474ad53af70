/// What keeps padding away from libcjose: its base64 decoder ends the process (an assertion) when a `=` follows the first
/// character of a group of four. None of the texts that it is given here has any business with one (RFC 7515 section 2).
enum Padding {
    private static let sign = UInt8(ascii: "=")

    /// Whether a compact serialization may be handed over.
    static func isAbsent(in compact: String) -> Bool {
        !compact.utf8.contains(sign)
    }

    /// Whether the JSON text of a JWK may be. An escape could hide a padding character, and no member of a key needs one.
    static func isAbsent(inJWK text: [UInt8]) -> Bool {
        !text.contains { $0 == sign || $0 == UInt8(ascii: "\\") }
    }
}
