internal import SwitchyardCOpenSSL

/// A SHA-256 digest: 32 bytes, usable as a dictionary key.
public struct SHA256Digest: Hashable, Sendable {
    /// The digest as four words, so that hashing and comparing need no allocation.
    private let words: (UInt64, UInt64, UInt64, UInt64)

    /// The digest of `bytes` (FIPS 180-4). Never fails; safe from any thread.
    public init(of bytes: [UInt8]) {
        self.init(of: bytes.span)
    }

    private init(of bytes: Span<UInt8>) {
        var out: [32 of UInt8] = .init(repeating: 0)
        var span = out.mutableSpan
        unsafe span.withUnsafeMutableBufferPointer { out in
            unsafe bytes.withUnsafeBufferPointer { bytes in
                if let out = out.baseAddress {
                    unsafe sy_sha256(bytes.baseAddress, bytes.count, out)
                }
            }
        }
        self.init(words: out)
    }

    /// The digest of the UTF-8 form of `string`.
    public init(of string: String) {
        self.init(of: string.utf8.span)
    }

    /// Reads back a digest from its 32 bytes; nil for any other length.
    public init?(bytes: [UInt8]) {
        self.init(bytes: bytes[...])
    }

    // Not generic: it is called across modules, where generic code would not be specialized.
    public init?(bytes: ArraySlice<UInt8>) {
        guard bytes.count == 32 else { return nil }
        let bytes = bytes.span
        words = (UInt64(bytes, at: 0), UInt64(bytes, at: 8), UInt64(bytes, at: 16), UInt64(bytes, at: 24))
    }

    private init(words out: [32 of UInt8]) {
        func word(_ start: Int) -> UInt64 {
            var word: UInt64 = 0
            for index in start..<start + 8 { word = word << 8 | UInt64(out[index]) }
            return word
        }
        words = (word(0), word(8), word(16), word(24))
    }

    /// The 32 bytes, most significant first.
    public var bytes: [UInt8] {
        [UInt8](upTo: 32) { appendBytes(to: &$0) }
    }

    /// Puts the 32 bytes behind those that are there.
    package func appendBytes(to out: inout OutputSpan<UInt8>) {
        words.0.appendBytes(to: &out)
        words.1.appendBytes(to: &out)
        words.2.appendBytes(to: &out)
        words.3.appendBytes(to: &out)
    }

    fileprivate var half: (UInt64, UInt64) { (words.0, words.1) }

    /// A number that differs between digests, unless an attacker makes them collide. For a table that compares whole
    /// entries.
    public var prefix: UInt64 { words.0 }

    /// A small number that spreads digests evenly, for tables in parts.
    public var shard: Int { Int(words.3 & 0xFF) }

    /// Compares in constant time: a digest may stand for a secret.
    public static func == (left: Self, right: Self) -> Bool {
        (left.words.0 ^ right.words.0) | (left.words.1 ^ right.words.1) | (left.words.2 ^ right.words.2)
            | (left.words.3 ^ right.words.3) == 0
    }

    public func hash(into hasher: inout Hasher) {
        // A digest is uniform already: one word is as good as four.
        hasher.combine(words.0)
    }
}

/// The first half of a SHA-256 digest, for telling inputs apart: 128 bits without a practical second preimage.
public struct ShortDigest: Hashable, Sendable {
    private let high: UInt64
    private let low: UInt64

    public init(_ digest: SHA256Digest) {
        (high, low) = digest.half
    }

    /// Reads back a digest from its 16 bytes; nil for any other length.
    public init?(bytes: ArraySlice<UInt8>) {
        guard bytes.count == 16 else { return nil }
        let bytes = bytes.span
        high = UInt64(bytes, at: 0)
        low = UInt64(bytes, at: 8)
    }

    public init?(bytes: [UInt8]) {
        self.init(bytes: bytes[...])
    }

    /// The 16 bytes, most significant first.
    public var bytes: [UInt8] {
        [UInt8](upTo: 16) { appendBytes(to: &$0) }
    }

    /// Puts the 16 bytes behind those that are there.
    package func appendBytes(to out: inout OutputSpan<UInt8>) {
        high.appendBytes(to: &out)
        low.appendBytes(to: &out)
    }

    /// Compares in constant time: a digest may stand for a secret.
    public static func == (left: Self, right: Self) -> Bool {
        (left.high ^ right.high) | (left.low ^ right.low) == 0
    }
}

/// SHA-1, by which Redis names scripts. It is insecure; use it for these names only.
public enum ScriptDigest {
    /// Forty lower-case digits, as `EVALSHA` takes them.
    public static func hexadecimal(of script: [UInt8]) -> String {
        var out = [UInt8](repeating: 0, count: 20)
        unsafe out.withUnsafeMutableBufferPointer { out in
            unsafe script.withUnsafeBufferPointer { script in
                _ = unsafe SwitchyardCOpenSSL.SHA1(script.baseAddress, script.count, out.baseAddress)
            }
        }
        return Hexadecimal.encode(out)
    }
}

extension UInt64 {
    /// The number in the eight bytes from `start` on, the most significant one first.
    package init(_ bytes: Span<UInt8>, at start: Int) {
        self = 0
        for index in start..<start + 8 { self = self << 8 | UInt64(bytes[index]) }
    }

    /// Puts the eight bytes behind those that are there, the most significant one first.
    package func appendBytes(to out: inout OutputSpan<UInt8>) {
        var rest = self
        for _ in 0..<8 {
            out.append(UInt8(truncatingIfNeeded: rest >> 56))
            rest <<= 8
        }
    }
}

/// The SHA-2 family, for signatures and token hashes that name their own size.
public enum SHA2: Sendable {
    case sha256, sha384, sha512

    /// The digest of `bytes`: 32, 48 or 64 bytes.
    public func digest(of bytes: [UInt8]) -> [UInt8] {
        var out = [UInt8](repeating: 0, count: size)
        unsafe out.withUnsafeMutableBufferPointer { out in
            unsafe bytes.withUnsafeBufferPointer { bytes in
                switch self {
                case .sha256: _ = unsafe SwitchyardCOpenSSL.SHA256(bytes.baseAddress, bytes.count, out.baseAddress)
                case .sha384: _ = unsafe SwitchyardCOpenSSL.SHA384(bytes.baseAddress, bytes.count, out.baseAddress)
                case .sha512: _ = unsafe SwitchyardCOpenSSL.SHA512(bytes.baseAddress, bytes.count, out.baseAddress)
                }
            }
        }
        return out
    }

    private var size: Int {
        switch self {
        case .sha256: 32
        case .sha384: 48
        case .sha512: 64
        }
    }
}

/// HMAC with SHA-256 (RFC 2104). Safe from any thread.
public enum HMACSHA256 {
    /// The 32 bytes of the code for `message`. Never fails.
    /// - Parameter key: of any length; 32 bytes or more are worth having.
    public static func code(for message: [UInt8], key: [UInt8]) -> [UInt8] {
        code(for: message.span, key: key)
    }

    static func code(for message: Span<UInt8>, key: [UInt8]) -> [UInt8] {
        var code = [UInt8](repeating: 0, count: 32)
        unsafe message.withUnsafeBufferPointer { message in
            unsafe sy_hmac_sha256(key, key.count, message.baseAddress, message.count, &code)
        }
        return code
    }
}
