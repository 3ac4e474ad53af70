internal import SwitchyardCrypto

/// Names a pending token request in the apps' API: 128 random bits, 22 characters of base64url. No secret: the result
/// token is what opens a request.
public struct RequestID: Hashable, Sendable, CustomStringConvertible {
    private let high: UInt64
    private let low: UInt64

    /// A fresh one.
    public init() {
        self.init(bytes: Random.bytes(16))
    }

    /// Reads an id back; nil for anything that is not exactly one.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == 22, let bytes = Base64URL.decode(Array(text.utf8)), bytes.count == 16 else {
            return nil
        }
        self.init(bytes: bytes)
    }

    private init(bytes: [UInt8]) {
        high = bytes[0..<8].reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
    }

    public var description: String {
        let bytes = [high, low].flatMap { word in
            stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: word >> UInt64($0)) }
        }
        return Base64URL.encode(bytes)
    }

    /// Ids are random: any of their bits spreads them evenly.
    var shard: Int { Int(low & 0xFF) }
}

/// A sign-in's short public name, safe to show and to log: 10 characters of Crockford's base 32, 50 random bits.
public struct Reference: Hashable, Sendable, CustomStringConvertible {
    private let bits: UInt64
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// A fresh one.
    public init() {
        bits = Random.bytes(7).reduce(0) { $0 << 8 | UInt64($1) } & ((1 << 50) - 1)
    }

    /// Reads a reference back; nil for anything that is not exactly one.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == 10 else { return nil }
        var bits: UInt64 = 0
        for character in text.utf8 {
            guard let value = Self.alphabet.firstIndex(of: character) else { return nil }
            bits = bits << 5 | UInt64(value)
        }
        self.bits = bits
    }

    public var description: String {
        let digits = stride(from: 45, through: 0, by: -5).map { Self.alphabet[Int(bits >> UInt64($0) & 31)] }
        return String(decoding: digits, as: UTF8.self)
    }
}
