internal import SwitchyardText

/// Classes of bytes, as bit sets over ASCII: two words, no memory look-up.
enum ByteClass {
    /// `tchar` of RFC 9110 section 5.6.2.
    @inline(__always)
    static func isToken(_ byte: UInt8) -> Bool { contains(byte, tokenLow, tokenHigh) }

    /// The bytes of a registered name (RFC 3986 section 3.2.2), without percent-encoding, which no host needs.
    @inline(__always)
    static func isHost(_ byte: UInt8) -> Bool {
        ASCII.isAlphanumeric(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            || byte == UInt8(ascii: "_")
    }

    /// Field content: visible ASCII, space, tab, and obs-text (RFC 9110 section 5.5).
    @inline(__always)
    static func isFieldContent(_ byte: UInt8) -> Bool { (byte >= 0x20 && byte != 0x7F) || byte == 0x09 }

    /// The bytes of a request target: visible ASCII without `#`. Browsers leave `{`, `|` and the like unencoded in a
    /// query, so RFC 3986 is not held against them. An odd path matches no redirect URI anyway.
    @inline(__always)
    static func isTarget(_ byte: UInt8) -> Bool { byte &- 0x21 < 0x5E && byte != UInt8(ascii: "#") }

    /// The position of the first byte from `start` on, and before `limit`, that is outside of a class; `limit` without
    /// one. Pass the class by name, so the loop holds only its comparison.
    @inline(__always)
    static func end(of bytes: [UInt8], from start: Int, to limit: Int, while isMember: (UInt8) -> Bool) -> Int {
        let bytes = bytes.span
        let end = min(limit, bytes.count)
        precondition(start >= 0)
        var position = start
        while position < end, isMember(bytes[position]) { position += 1 }
        return position
    }

    @inline(__always)
    private static func contains(_ byte: UInt8, _ low: UInt64, _ high: UInt64) -> Bool {
        guard byte < 128 else { return false }
        return (byte < 64 ? low : high) >> UInt64(byte & 63) & 1 == 1
    }

    // Written out, because a table that is computed is looked for anew with each byte.
    /// Digits and the signs below them.
    private static let tokenLow: UInt64 = 0x03FF_6CFA_0000_0000
    /// Letters and the signs among them.
    private static let tokenHigh: UInt64 = 0x57FF_FFFF_C7FF_FFFE
}
