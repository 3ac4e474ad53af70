internal import SwitchyardText

/// Which hosts may stand in an http or https URI.
enum HostName {
    /// The hosts that always mean this machine (RFC 8252 section 7.3).
    static let loopback: Set<String> = ["127.0.0.1", "[::1]", "localhost"]

    /// Whether a lower-cased host is a DNS name, a dotted IPv4 address or `[::1]`, written in its one usual form.
    ///
    /// Browsers read `2130706433` and `0x7f.1` as addresses, so a last label that begins with a digit is refused
    /// unless all four parts make a plain address. Other IPv6 literals are refused: they have many spellings, and no
    /// certificate authority and hardly an issuer takes them.
    static func isValid(_ host: String) -> Bool {
        if host == "[::1]" { return true }
        guard host.utf8.count <= 253 else { return false }
        let labels = host.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard labels.allSatisfy(isLabel), let last = labels.last?.first else { return false }
        return !ASCII.isDigit(last) || isIPv4(labels)
    }

    private static func isLabel(_ label: Substring.UTF8View) -> Bool {
        (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
            && label.allSatisfy { ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
    }

    private static func isIPv4(_ labels: [Substring.UTF8View]) -> Bool {
        labels.count == 4
            && labels.allSatisfy { label in
                let text = String(Substring(label))
                return UInt8(text).map(String.init) == text
            }
    }
}
