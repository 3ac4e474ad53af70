internal import SwitchyardCrypto

/// The trace that a caller's request belongs to (W3C Trace Context, level 1): its id, and whether it is recorded.
/// Neither is a secret, and no decision depends on it.
public struct TraceContext: Hashable, Sendable {
    /// 16 bytes, not all of them zero.
    let id: [UInt8]
    let isSampled: Bool

    init?(id: [UInt8], isSampled: Bool) {
        guard id.count == 16, id.contains(where: { $0 != 0 }) else { return nil }
        self.id = id
        self.isSampled = isSampled
    }

    /// - Parameter traceparent: the values of the field; nil unless there is exactly one valid value. A later version
    ///   is read as this one, as the standard asks.
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

    /// The same trace, recorded only if the caller may ask for that. Otherwise any caller could fill the tracing of the
    /// operator and of the issuer.
    public func recorded(onlyIf mayAsk: Bool) -> TraceContext? { TraceContext(id: id, isSampled: isSampled && mayAsk) }

    /// 32 hexadecimal digits.
    public var idText: String { Hexadecimal.encode(id) }

    /// For a request that is made on behalf of the caller's: the same trace, and a new span in it.
    public func makeTraceparent() -> String {
        var span = Random.bytes(8)
        // All zeros are invalid.
        if span.allSatisfy({ $0 == 0 }) { span[7] = 1 }
        return "00-\(idText)-\(Hexadecimal.encode(span))-\(isSampled ? "01" : "00")"
    }

    /// Lowercase digits only.
    private static func decode(_ digits: ArraySlice<UInt8>) -> [UInt8]? {
        digits.contains { (UInt8(ascii: "A")...UInt8(ascii: "F")).contains($0) } ? nil : Hexadecimal.decode(digits)
    }
}
