internal import SwitchyardText

/// The reason why a host is no server of the public internet (RFC 6890, RFC 6761, RFC 6762 appendix G).
///
/// Judges the host of an address that another party gives: a tool of a far machine, a caller, a document. A public name may
/// still resolve to an address of the local network, so a program that connects must judge each resolved address as well.
public enum SpecialUse: Hashable, Sendable, CaseIterable {
    /// 127.0.0.0/8, ::1, `localhost` and names below it.
    case loopback
    /// 0.0.0.0/8 and ::, which reach this machine as well.
    case unspecified
    /// 10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16, fc00::/7, fec0::/10.
    case privateNetwork
    /// 169.254.0.0/16 (where clouds keep their metadata services), fe80::/10.
    case linkLocal
    /// 100.64.0.0/10, behind a carrier's address translation (RFC 6598).
    case sharedNetwork
    /// 224.0.0.0/4, ff00::/8.
    case multicast
    /// Addresses that lead to no server, or to one that depends on the network: documentation, benchmarks, translation.
    case reserved
    /// A name without a dot, or below a domain that each network uses for itself, such as `.local` and `.internal`.
    case localName
    /// A host that browsers and programs may read differently.
    case unreadable

    /// For messages: "an address that is …".
    public var words: String {
        switch self {
        case .loopback: "loopback"
        case .unspecified: "unspecified"
        case .privateNetwork: "of a private network"
        case .linkLocal: "link-local"
        case .sharedNetwork: "of a carrier's shared network"
        case .multicast: "multicast"
        case .reserved: "reserved"
        case .localName: "of this network alone"
        case .unreadable: "written in a way that programs read differently"
        }
    }

    /// Judges a host as it stands in an address, an IPv6 address in brackets.
    /// - Returns: nil for a name, or an address, of the public internet.
    public init?(ofHost text: some StringProtocol) {
        var host = text.asciiLowercased
        if host.hasPrefix("[") {
            // Brackets hold an IPv6 address, of which an IPv4 address may be the end.
            guard host.hasSuffix("]"), host.contains(":"), let address = IPAddress(String(host.dropFirst().dropLast()))
            else {
                self = .unreadable
                return
            }
            self.init(of: address)
            return
        }
        if host.hasSuffix(".") { host.removeLast() }
        let labels = host.split(separator: ".", omittingEmptySubsequences: false)
        guard host.utf8.count <= 253, labels.allSatisfy(Self.isLabel), let last = labels.last else {
            self = .unreadable
            return
        }
        if Self.isNumber(last) {
            guard let address = Self.address(labels) else {
                self = .unreadable
                return
            }
            self.init(of: address)
            return
        }
        if last == "localhost" {
            self = .loopback
        } else if labels.count == 1 || Self.localDomains.contains(String(last)) || host.hasSuffix(".home.arpa") {
            self = .localName
        } else {
            return nil
        }
    }

    /// Judges an address.
    /// - Returns: nil for one of the public internet.
    public init?(of address: IPAddress) {
        let found = address.isIPv4 ? Self.ofIPv4(UInt32(truncatingIfNeeded: address.bits)) : Self.ofIPv6(address.bits)
        guard let found else { return nil }
        self = found
    }

    /// Judges the address that a name was looked up to. A network without IPv4 reaches IPv4 servers by addresses that hold
    /// theirs (NAT64, RFC 6052): these are judged by the address that they hold.
    /// - Returns: nil for one of the public internet.
    public init?(ofResolved address: IPAddress) {
        if address.bits >> 32 == Self.nat64Prefix {
            guard let found = Self.ofIPv4(UInt32(truncatingIfNeeded: address.bits)) else { return nil }
            self = found
        } else {
            self.init(of: address)
        }
    }

    private static let nat64Prefix: UInt128 = 0x64_FF9B << 64

    /// Top-level domains that are local (RFC 6762), reserved for private use (ICANN, 2024), or that networks use without being
    /// given them (RFC 6762 appendix G).
    private static let localDomains: Set<String> = [
        "local", "localdomain", "internal", "intranet", "private", "corp", "home", "lan",
    ]

    private static func isLabel(_ label: Substring) -> Bool {
        (1...63).contains(label.utf8.count)
            && label.utf8.allSatisfy { ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
    }
}

// MARK: Addresses

extension SpecialUse {
    private static let ipv4: [(network: UInt32, length: Int, use: SpecialUse)] = [
        (0x0000_0000, 8, .unspecified), (0x0A00_0000, 8, .privateNetwork), (0x6440_0000, 10, .sharedNetwork),
        (0x7F00_0000, 8, .loopback), (0xA9FE_0000, 16, .linkLocal), (0xAC10_0000, 12, .privateNetwork),
        (0xC000_0000, 24, .reserved), (0xC000_0200, 24, .reserved), (0xC058_6300, 24, .reserved),
        (0xC0A8_0000, 16, .privateNetwork), (0xC612_0000, 15, .reserved), (0xC633_6400, 24, .reserved),
        (0xCB00_7100, 24, .reserved), (0xE000_0000, 4, .multicast), (0xF000_0000, 4, .reserved),
    ]

    private static func ofIPv4(_ address: UInt32) -> SpecialUse? {
        ipv4.first { address >> UInt32(32 - $0.length) == $0.network >> UInt32(32 - $0.length) }?.use
    }

    private static func ofIPv6(_ bits: UInt128) -> SpecialUse? {
        func begins(_ prefix: UInt128, _ length: Int) -> Bool { bits >> UInt128(128 - length) == prefix }
        if bits == 0 { return .unspecified }
        if bits == 1 { return .loopback }
        // Addresses that hold an IPv4 address lead to that one: IPv4-compatible, NAT64 (RFC 6052), 6to4 (RFC 3056).
        if begins(0, 96) || begins(0x64_FF9B << 64, 96) {
            return ofIPv4(UInt32(truncatingIfNeeded: bits)) ?? .reserved
        }
        if begins(0x2002, 16) { return ofIPv4(UInt32(truncatingIfNeeded: bits >> 80)) ?? .reserved }
        if begins(0x7E, 7) || begins(0x3FB, 10) { return .privateNetwork }
        if begins(0x3FA, 10) { return .linkLocal }
        if begins(0xFF, 8) { return .multicast }
        // Only 2000::/3 is given out; of it, protocols' own addresses and documentation are not.
        let isGivenOut =
            begins(1, 3) && !begins(0x2001_0000 >> 9, 23) && !begins(0x2001_0DB8, 32) && !begins(0x3FFF0, 20)
        return isGivenOut ? nil : .reserved
    }

    /// Whether a browser reads a host that ends in this label as an IPv4 address (URL Standard section 3.5).
    private static func isNumber(_ label: Substring) -> Bool {
        label.utf8.allSatisfy(ASCII.isDigit)
            || label.hasPrefix("0x") && label.dropFirst(2).utf8.allSatisfy(ASCII.isHexDigit)
    }

    /// An IPv4 address in any spelling that browsers take: up to four numbers, each decimal, octal or hexadecimal, of which
    /// the last fills the bytes that are left.
    private static func address(_ labels: [Substring]) -> IPAddress? {
        guard labels.count <= 4 else { return nil }
        var numbers: [UInt64] = []
        for label in labels {
            let number: UInt64? =
                if label.hasPrefix("0x") {
                    label.count == 2 ? 0 : UInt64(label.dropFirst(2), radix: 16)
                } else if label.hasPrefix("0"), label.count > 1 {
                    UInt64(label.dropFirst(), radix: 8)
                } else {
                    UInt64(label, radix: 10)
                }
            guard let number else { return nil }
            numbers.append(number)
        }
        guard let last = numbers.popLast(), numbers.allSatisfy({ $0 <= 255 }),
            last < UInt64(1) << UInt64(8 * (4 - numbers.count))
        else { return nil }
        let bits = numbers.enumerated().reduce(last) { $0 | $1.element << UInt64(8 * (3 - $1.offset)) }
        return IPAddress(bytes: (0..<4).map { UInt8(truncatingIfNeeded: bits >> UInt64(24 - 8 * $0)) })
    }
}
