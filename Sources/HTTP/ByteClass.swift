internal import SwitchyardText

/// Classes of bytes, as bit sets over ASCII: two words, no memory look-up.
enum ByteClass {
    /// `tchar` of RFC 9110 section 5.6.2.
    @inline(__always)
    static func isToken(_ byte: UInt8) -> Bool { contains(byte, tokenLow, tokenHigh) }

    /// What may stand in a registered name (RFC 3986 section 3.2.2) but for percent-encoding, which no host needs.
    @inline(__always)
    static func isHost(_ byte: UInt8) -> Bool {
        ASCII.isAlphanumeric(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
            || byte == UInt8(ascii: "_")
    }

    /// Field content: visible ASCII, space, tab, and obs-text (RFC 9110 section 5.5).
    @inline(__always)
    static func isFieldContent(_ byte: UInt8) -> Bool { (byte >= 0x20 && byte != 0x7F) || byte == 0x09 }

    /// What a request target may hold: visible ASCII but for `#`. Browsers leave `{`, `|` and the like unencoded in a
    /// query, so RFC 3986 is not held against them; whatever is odd in a path matches no redirect URI anyway.
    @inline(__always)
    static func isTarget(_ byte: UInt8) -> Bool { byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "#") }

    @inline(__always)
    private static func contains(_ byte: UInt8, _ low: UInt64, _ high: UInt64) -> Bool {
        guard byte < 128 else { return false }
        return (byte < 64 ? low : high) >> UInt64(byte & 63) & 1 == 1
    }

    private static let tokenLow = bits("!#$%&'*+-.0123456789").low
    private static let tokenHigh = bits("ABCDEFGHIJKLMNOPQRSTUVWXYZ^_`abcdefghijklmnopqrstuvwxyz|~").high

    private static func bits(_ characters: StaticString) -> (low: UInt64, high: UInt64) {
        var low: UInt64 = 0
        var high: UInt64 = 0
        for byte in characters.description.utf8 {
            if byte < 64 { low |= 1 << UInt64(byte) } else { high |= 1 << UInt64(byte & 63) }
        }
        return (low, high)
    }
}
