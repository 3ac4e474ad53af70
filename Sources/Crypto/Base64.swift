/// Base64 with the URL-safe alphabet and without padding (RFC 4648 section 5).
public enum Base64URL {
    public static func encode(_ bytes: [UInt8]) -> String {
        Base64.encode(bytes, alphabet: urlAlphabet, padded: false)
    }

    /// The bytes, or nil when a character is foreign, padding is present, or the trailing bits are not zero.
    public static func decode(_ text: [UInt8]) -> [UInt8]? {
        // Not generic: it is called across modules, where generic code would not be specialized.
        var out: [UInt8] = []
        out.reserveCapacity(text.count / 4 * 3 + 2)
        var bits: UInt32 = 0
        var count = 0
        for character in text {
            let value: UInt8
            switch character {
            case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = character - 65
            case UInt8(ascii: "a")...UInt8(ascii: "z"): value = character - 71
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = character + 4
            case UInt8(ascii: "-"): value = 62
            case UInt8(ascii: "_"): value = 63
            default: return nil
            }
            bits = bits << 6 | UInt32(value)
            count += 6
            if count >= 8 {
                count -= 8
                out.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
                bits &= (1 << UInt32(count)) - 1
            }
        }
        // A lone character carries six bits, which is no byte; left-over bits must be zero (one text for one value).
        guard count < 6, bits == 0 else { return nil }
        return out
    }

    public static func decode(_ text: String) -> [UInt8]? {
        decode(Array(text.utf8))
    }

    private static let urlAlphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
}

/// Base64 with the standard alphabet and padding (RFC 4648 section 4), as HTTP Basic and CSP hashes want it.
public enum Base64 {
    public static func encode(_ bytes: [UInt8]) -> String {
        encode(bytes, alphabet: standardAlphabet, padded: true)
    }

    static func encode(_ bytes: [UInt8], alphabet: [UInt8], padded: Bool) -> String {
        var out: [UInt8] = []
        out.reserveCapacity((bytes.count + 2) / 3 * 4)
        var index = 0
        while index < bytes.count {
            let left = bytes.count - index
            let group =
                UInt32(bytes[index]) << 16 | (left > 1 ? UInt32(bytes[index + 1]) << 8 : 0)
                | (left > 2 ? UInt32(bytes[index + 2]) : 0)
            for position in 0..<4 {
                if position <= left {
                    out.append(alphabet[Int(group >> UInt32(18 - 6 * position) & 63)])
                } else if padded {
                    out.append(UInt8(ascii: "="))
                }
            }
            index += 3
        }
        return String(decoding: out, as: UTF8.self)
    }

    private static let standardAlphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}
