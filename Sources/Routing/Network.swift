/// A block of addresses in CIDR notation (RFC 4632, RFC 4291 section 2.3).
public struct Network: Hashable, Sendable, CustomStringConvertible {
    private let address: IPAddress
    private let prefixLength: Int

    /// Reads `10.0.0.0/8` or `2001:db8::/32`; an address alone is a block of one. nil for anything else, also when bits
    /// behind the prefix are set: that is a slip, and which part was meant cannot be known.
    public init?(_ text: String) {
        let pieces = text.split(separator: "/", omittingEmptySubsequences: false)
        guard pieces.count <= 2, let address = IPAddress(String(pieces[0])) else { return nil }
        let width = address.isIPv4 ? 32 : 128
        var length = width
        if pieces.count == 2 {
            guard let given = Int(pieces[1]), String(given) == pieces[1], (0...width).contains(given) else {
                return nil
            }
            length = given
        }
        guard address.bits & Self.hostMask(width - length) == 0 else { return nil }
        self.address = address
        prefixLength = length
    }

    /// Whether the address is in the block; one of the other family never is.
    public func contains(_ other: IPAddress) -> Bool {
        guard other.isIPv4 == address.isIPv4 else { return false }
        return other.bits & ~Self.hostMask((address.isIPv4 ? 32 : 128) - prefixLength) == address.bits
    }

    /// Whether no address of its family is outside.
    public var isEverybody: Bool { prefixLength == 0 }

    public var description: String { "\(address)/\(prefixLength)" }

    /// The lowest `count` bits, 0 to 128 of them. (A shift by the whole width gives 0 in Swift.)
    private static func hostMask(_ count: Int) -> UInt128 {
        (UInt128(1) << UInt128(count)) &- 1
    }
}
