/// An IPv4 or IPv6 address. An IPv4 address inside IPv6 (`::ffff:a.b.c.d`) is the IPv4 address: one peer, one value.
public struct IPAddress: Hashable, Sendable, CustomStringConvertible {
    /// The address in 128 bits, IPv4 behind `::ffff:0:0/96`.
    public let bits: UInt128

    private static let mappedPrefix: UInt128 = 0xFFFF << 32

    init(bits: UInt128) {
        self.bits = bits
    }

    /// Four bytes make an IPv4 address, sixteen an IPv6 one, in network order; nil for any other number.
    public init?(bytes: [UInt8]) {
        guard bytes.count == 4 || bytes.count == 16 else { return nil }
        let number = bytes.reduce(UInt128(0)) { $0 << 8 | UInt128($1) }
        bits = bytes.count == 4 ? Self.mappedPrefix | number : number
    }

    public var isIPv4: Bool { bits >> 32 == 0xFFFF }

    /// 127.0.0.0/8 or ::1.
    public var isLoopback: Bool { isIPv4 ? bits >> 24 & 0xFF == 127 : bits == 1 }

    /// 0.0.0.0 or ::, which a listener means all addresses by.
    public var isUnspecified: Bool { isIPv4 ? bits & 0xFFFF_FFFF == 0 : bits == 0 }

    /// 127.0.0.1 or ::1, which mean the machine itself; other loopback addresses may be assigned to services.
    public var isLocalhost: Bool { isIPv4 ? bits & 0xFFFF_FFFF == 0x7F00_0001 : bits == 1 }

    /// A small number that spreads addresses, for tables in parts.
    public var shard: Int { Int(truncatingIfNeeded: (bits >> 64) ^ bits ^ (bits >> 16)) & 0xFFFF }

    /// The part of an address by which limits count: a whole IPv4 address, the first 64 bits of an IPv6 address, since
    /// one customer gets that many.
    public var limitKey: IPAddress {
        isIPv4 ? self : IPAddress(bits: bits & ~UInt128(UInt64.max))
    }

    /// The first 24 bits of an IPv4 address, the first 48 of an IPv6 one.
    public var network: IPAddress {
        IPAddress(bits: isIPv4 ? bits & ~0xFF : (bits >> 80) << 80)
    }

    /// The usual text; IPv6 as RFC 5952 wants it.
    public var description: String {
        if isIPv4 {
            let number = UInt32(truncatingIfNeeded: bits)
            return "\(number >> 24).\(number >> 16 & 0xFF).\(number >> 8 & 0xFF).\(number & 0xFF)"
        }
        let groups = stride(from: 112, through: 0, by: -16).map { UInt16(truncatingIfNeeded: bits >> UInt128($0)) }
        func text(_ groups: ArraySlice<UInt16>) -> String {
            groups.map { String($0, radix: 16) }.joined(separator: ":")
        }
        guard let zeros = Self.longestZeroRun(groups) else { return text(groups[...]) }
        return text(groups[..<zeros.lowerBound]) + "::" + text(groups[zeros.upperBound...])
    }

    /// The first of the longest runs of two or more zero groups (RFC 5952 section 4.2).
    private static func longestZeroRun(_ groups: [UInt16]) -> Range<Int>? {
        var best: Range<Int>?
        var start = 0
        while start < groups.count {
            let end = groups[start...].firstIndex { $0 != 0 } ?? groups.count
            if end - start >= 2, end - start > best?.count ?? 0 { best = start..<end }
            start = end + 1
        }
        return best
    }
}

extension IPAddress {
    /// Reads dotted IPv4 (four plain decimal parts) or IPv6 (RFC 4291 section 2.2), without brackets or zone.
    /// nil for anything else.
    public init?(_ text: String) {
        guard text.utf8.count <= 45, let bytes = Self.ipv4(text[...]) ?? Self.ipv6(text) else { return nil }
        self.init(bytes: bytes)
    }

    private static func ipv4(_ text: Substring) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 4 else { return nil }
        var bytes: [UInt8] = []
        for part in parts {
            // Round trip: no sign, no leading zero, which some programs read as octal.
            guard let byte = UInt8(part), String(byte) == part else { return nil }
            bytes.append(byte)
        }
        return bytes
    }

    private static func ipv6(_ text: String) -> [UInt8]? {
        let halves = text.split(separator: "::", omittingEmptySubsequences: false)
        switch halves.count {
        case 1:
            return groups(halves[0], mayEndInIPv4: true).flatMap { $0.count == 16 ? $0 : nil }
        case 2:
            guard let before = groups(halves[0], mayEndInIPv4: false),
                let after = groups(halves[1], mayEndInIPv4: true),
                before.count + after.count <= 14
            else { return nil }
            return before + [UInt8](repeating: 0, count: 16 - before.count - after.count) + after
        default: return nil
        }
    }

    private static func groups(_ text: Substring, mayEndInIPv4: Bool) -> [UInt8]? {
        guard !text.isEmpty else { return [] }
        var bytes: [UInt8] = []
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        for (index, part) in parts.enumerated() {
            if mayEndInIPv4, index == parts.count - 1, part.contains(".") {
                guard let tail = ipv4(part) else { return nil }
                return bytes + tail
            }
            guard (1...4).contains(part.utf8.count), part.allSatisfy(\.isHexDigit), let group = UInt16(part, radix: 16)
            else { return nil }
            bytes += [UInt8(group >> 8), UInt8(truncatingIfNeeded: group)]
        }
        return bytes
    }
}
