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
