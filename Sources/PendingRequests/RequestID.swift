public import SwitchyardCrypto

/// The name of a pending token request in the apps' API: 128 bits, 22 characters of base64url. It is no secret: the
/// result token opens a request.
///
/// 120 bits are random, and 8 come from the digest of the request's state. So a store in parts finds the request in the
/// same part by its id and by its state. A state is random too, so these bits are unknown without it.
public struct RequestID: Hashable, Sendable, CustomStringConvertible {
    private let high: UInt64
    private let low: UInt64

    /// A random id, which belongs to no request.
    public init() {
        self.init(high: Random.number(), low: Random.number())
    }

    /// A new id, for a request with this state.
    public init(for stateHash: SHA256Digest) {
        let partition = UInt64(Self.partition(of: stateHash))
        self.init(high: partition << 56 | Random.number() >> 8, low: Random.number())
    }

    /// The id of a callback that is handed over without a request: the second half of its digest.
    init(ofHandedOver digest: SHA256Digest) {
        self.init(bytes: digest.bytes.span.extracting(last: 16))
    }

    /// Reads an id back; nil for anything that is not exactly one.
    public init?(_ text: some StringProtocol) {
        guard text.utf8.count == 22, let bytes = Base64URL.decode(Array(text.utf8)) else { return nil }
        self.init(bytes: bytes[...])
    }

    /// Reads ``bytes`` back; nil unless there are 16.
    public init?(bytes: ArraySlice<UInt8>) {
        guard bytes.count == 16 else { return nil }
        self.init(bytes: bytes.span)
    }

    private init(bytes: Span<UInt8>) {
        self.init(high: UInt64(bytes, at: 0), low: UInt64(bytes, at: 8))
    }

    private init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The 16 bytes, as a store may name a request by them.
    public var bytes: [UInt8] {
        [UInt8](upTo: 16) { appendBytes(to: &$0) }
    }

    /// Appends the 16 bytes.
    func appendBytes(to out: inout OutputSpan<UInt8>) {
        high.appendBytes(to: &out)
        low.appendBytes(to: &out)
    }

    /// The 22 characters that ``init(_:)`` reads back.
    public var description: String { Base64URL.encode(bytes) }

    /// The request's part of the store, from 0 to 255.
    package var partition: Int { Int(high >> 56) }

    /// The part of a request with this state, from 0 to 255.
    package static func partition(of stateHash: SHA256Digest) -> Int { stateHash.shard }

    /// Half of the id. It is random, so it tells requests apart, and any of its bits spreads them evenly.
    package var key: UInt64 { low }
}

/// A sign-in's short public name, safe to show and to log: 10 characters of Crockford's base 32, 50 random bits.
public struct Reference: Hashable, Sendable, CustomStringConvertible {
    private let bits: UInt64
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ".utf8)

    /// A new, random reference.
    public init() {
        bits = Random.number() & ((1 << 50) - 1)
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

    /// Reads a reference as people write it down: case, spaces and hyphens do not count, and a letter that looks like a
    /// digit is that digit.
    public init?(said text: some StringProtocol) {
        var characters = ""
        for character in text.uppercased().unicodeScalars {
            switch character {
            case " ", "-", "\u{2010}"..."\u{2015}": break
            case "O": characters += "0"
            case "I", "L": characters += "1"
            default: characters.unicodeScalars.append(character)
            }
        }
        self.init(characters)
    }

    package init?(bytes: ArraySlice<UInt8>) {
        let bits = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard bits < 1 << 50 else { return nil }
        self.bits = bits
    }

    /// Seven bytes.
    package var bytes: [UInt8] {
        [UInt8](upTo: 7) { appendBytes(to: &$0) }
    }

    /// Appends the seven bytes.
    func appendBytes(to out: inout OutputSpan<UInt8>) {
        for index in 0..<7 { out.append(UInt8(truncatingIfNeeded: bits >> UInt64(48 - 8 * index))) }
    }

    /// The 10 characters that ``init(_:)`` reads back.
    public var description: String {
        let digits = [UInt8](upTo: 10) { out in
            for index in 0..<10 { out.append(Self.alphabet[Int(bits >> UInt64(45 - 5 * index) & 31)]) }
        }
        return String(decoding: digits, as: UTF8.self)
    }
}
