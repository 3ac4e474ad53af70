/// Base64 with the URL-safe alphabet and without padding (RFC 4648 section 5).
public enum Base64URL {
    /// The characters of the bytes.
    public static func encode(_ bytes: [UInt8]) -> String {
        Base64.encode(bytes, alphabet: urlAlphabet, padded: false)
    }

    /// Puts the characters behind those that are there.
    public static func append(_ bytes: [UInt8], to text: inout [UInt8]) {
        text.append(addingCapacity: Base64.length(of: bytes.count)) {
            Base64.write(bytes.span, alphabet: urlAlphabet.span, padded: false, to: &$0)
        }
    }

    /// The bytes, or nil when a character is foreign, padding is present, or the trailing bits are not zero.
    public static func decode(_ text: [UInt8]) -> [UInt8]? {
        // Not generic: it is called across modules, where generic code would not be specialized.
        decode(text[...])
    }

    /// The bytes, as of a whole array.
    public static func decode(_ text: ArraySlice<UInt8>) -> [UInt8]? {
        let (text, values) = (text.span, values.span)
        // A lone character carries six bits, which is no byte.
        guard text.count % 4 != 1 else { return nil }
        // All values at once: one that is foreign has a bit that no other has.
        var seen: UInt8 = 0
        var leftover: UInt32 = 0
        let out = [UInt8](upTo: text.count / 4 * 3 + 2) { out in
            var index = 0
            func next() -> UInt32 {
                let value = values[Int(text[index])]
                seen |= value
                index += 1
                return UInt32(value)
            }
            // Four characters are three bytes.
            while index + 4 <= text.count {
                let group = next() << 18 | next() << 12 | next() << 6 | next()
                out.append(UInt8(truncatingIfNeeded: group >> 16))
                out.append(UInt8(truncatingIfNeeded: group >> 8))
                out.append(UInt8(truncatingIfNeeded: group))
            }
            switch text.count - index {
            case 2:
                let group = next() << 18 | next() << 12
                out.append(UInt8(truncatingIfNeeded: group >> 16))
                leftover = group & 0xFFFF
            case 3:
                let group = next() << 18 | next() << 12 | next() << 6
                out.append(UInt8(truncatingIfNeeded: group >> 16))
                out.append(UInt8(truncatingIfNeeded: group >> 8))
                leftover = group & 0xFF
            default: break
            }
        }
        // Left-over bits must be zero: one text for one value.
        return seen & foreign == 0 && leftover == 0 ? out : nil
    }

    private static let foreign: UInt8 = 0x80

    /// The value of each character.
    private static let values: [UInt8] = {
        var values = [UInt8](repeating: foreign, count: 256)
        for (value, character) in urlAlphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    /// The bytes, as of the text's UTF-8.
    public static func decode(_ text: String) -> [UInt8]? {
        decode(Array(text.utf8))
    }

    private static let urlAlphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
}

/// Base64 with the standard alphabet and padding (RFC 4648 section 4), as HTTP Basic and CSP hashes want it.
public enum Base64 {
    /// The characters of the bytes, with padding.
    public static func encode(_ bytes: [UInt8]) -> String {
        encode(bytes, alphabet: standardAlphabet, padded: true)
    }

    fileprivate static func encode(_ bytes: [UInt8], alphabet: [UInt8], padded: Bool) -> String {
        unsafe String(unsafeUninitializedCapacity: length(of: bytes.count)) { block in
            var out = unsafe OutputSpan(buffer: block, initializedCount: 0)
            write(bytes.span, alphabet: alphabet.span, padded: padded, to: &out)
            return unsafe out.finalize(for: block)
        }
    }

    /// The number of characters, padding included.
    fileprivate static func length(of count: Int) -> Int { (count + 2) / 3 * 4 }

    fileprivate static func write(
        _ bytes: Span<UInt8>, alphabet: Span<UInt8>, padded: Bool, to out: inout OutputSpan<UInt8>
    ) {
        func append(_ group: UInt32, _ count: Int) {
            for place in 0..<count { out.append(alphabet[Int(group >> UInt32(18 - 6 * place) & 63)]) }
        }
        var index = 0
        // Three bytes are four characters.
        while index + 3 <= bytes.count {
            append(UInt32(bytes[index]) << 16 | UInt32(bytes[index + 1]) << 8 | UInt32(bytes[index + 2]), 4)
            index += 3
        }
        let left = bytes.count - index
        guard left > 0 else { return }
        append(UInt32(bytes[index]) << 16 | (left > 1 ? UInt32(bytes[index + 1]) << 8 : 0), left + 1)
        if padded { for _ in left..<3 { out.append(UInt8(ascii: "=")) } }
    }

    /// The bytes; nil for a foreign character or wrong padding.
    public static func decode(_ text: [UInt8]) -> [UInt8]? {
        let end = text.lastIndex { $0 != UInt8(ascii: "=") }.map { $0 + 1 } ?? 0
        guard text.count == end || text.count % 4 == 0 && text.count - end <= 2,
            !text.contains(where: { "-_".utf8.contains($0) })
        else { return nil }
        return Base64URL.decode(
            text[..<end].map {
                $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0
            })
    }

    private static let standardAlphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
}
