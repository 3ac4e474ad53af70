extension RequestRecord.Beginner {
    /// The network of ``callerKey``: the first 24 bits of an IPv4 address, the first 48 of an IPv6 address. It names a
    /// count only. nil for a user of this machine and for a tombstone.
    public var network: String? { callerKey.flatMap(Self.network) }

    /// - Parameter callerKey: an address in its usual text (RFC 5952), as the gateway writes it.
    static func network(of callerKey: String) -> String? {
        // A user's key may name a program, by a path with any characters.
        if callerKey.hasPrefix("uid ") { return nil }
        if let dot = callerKey.utf8.lastIndex(of: UInt8(ascii: ".")) { return String(callerKey[..<dot]) }
        guard callerKey.utf8.contains(UInt8(ascii: ":")) else { return nil }
        // The last 64 bits of a key are zero, so "::" stands for them.
        var groups = callerKey.split(separator: ":", omittingEmptySubsequences: false).prefix(3).prefix { !$0.isEmpty }
        // "::" leaves trailing zeros out, which must not make another network of the same one.
        while groups.last == "0" { groups.removeLast() }
        return groups.joined(separator: ":") + "::"
    }
}
