internal import SwitchyardCrypto

/// The trace that a caller's request belongs to (W3C Trace Context, level 1): its id, and whether it is recorded.
/// Neither is a secret, and nothing is decided by it.
public struct TraceContext: Hashable, Sendable {
    /// 16 bytes, not all of them zero.
    let id: [UInt8]
    let isSampled: Bool

    init?(id: [UInt8], isSampled: Bool) {
        guard id.count == 16, id.contains(where: { $0 != 0 }) else { return nil }
        self.id = id
        self.isSampled = isSampled
    }

    /// - Parameter traceparent: the values of the field; nil unless it is there once and is one, to the letter. Of a
    ///   version that is not known yet only what this one has is read, as the standard asks for.
    public init?(traceparent: [String]) {
        guard traceparent.count == 1, let value = traceparent.first else { return nil }
        let bytes = Array(value.utf8)
        let dash = UInt8(ascii: "-")
        guard bytes.count >= 55, bytes[2] == dash, bytes[35] == dash, bytes[52] == dash,
            let version = Self.decode(bytes[0..<2])?.first, version != 0xFF,
            bytes.count == 55 || (version > 0 && bytes[55] == dash),
            let id = Self.decode(bytes[3..<35]), let parent = Self.decode(bytes[36..<52]),
            parent.contains(where: { $0 != 0 }), let flags = Self.decode(bytes[53..<55])?.first
        else { return nil }
        self.init(id: id, isSampled: flags & 1 == 1)
    }

    /// The same trace, recorded only where who asks for it may: anybody else could fill the operator's tracing, and the
    /// issuer's.
    public func recorded(onlyIf mayAsk: Bool) -> TraceContext? { TraceContext(id: id, isSampled: isSampled && mayAsk) }

    /// 32 hexadecimal digits.
    public var idText: String { Self.encode(id) }

    /// For a request that is made on behalf of the caller's: the same trace, and a new span in it.
    public func makeTraceparent() -> String {
        var span = Random.bytes(8)
        // All zeros are none.
        if span.allSatisfy({ $0 == 0 }) { span[7] = 1 }
        return "00-\(idText)-\(Self.encode(span))-\(isSampled ? "01" : "00")"
    }

    /// Lowercase digits only.
    private static func decode(_ digits: ArraySlice<UInt8>) -> [UInt8]? {
        var bytes: [UInt8] = []
        var high: UInt8?
        for digit in digits {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - UInt8(ascii: "0")
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - UInt8(ascii: "a") + 10
            default: return nil
            }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        return bytes
    }

    private static func encode(_ bytes: [UInt8]) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
