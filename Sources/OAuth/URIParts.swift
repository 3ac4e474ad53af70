internal import SwitchyardText

/// A URI without query and fragment, parsed strictly: the result has one reading only, in every browser.
///
/// Stricter than RFC 3986 where implementations disagree (encoded separators, dot segments, hosts, ports).
struct URIParts {
    static let maximumLength = 2048

    /// Lower-cased.
    let scheme: String
    private let bytes: [UInt8]
    private let restStart: Int
    private let authorityRange: Range<Int>?
    private let pathStart: Int

    /// Everything after `scheme:`.
    var rest: ArraySlice<UInt8> { bytes[restStart...] }
    /// The part between `//` and the path; nil without `//`.
    var authority: ArraySlice<UInt8>? { authorityRange.map { bytes[$0] } }
    var path: ArraySlice<UInt8> { bytes[pathStart...] }

    init(_ text: some Collection<UInt8>) throws(RedirectURIError.Kind) {
        bytes = Array(text)
        try Self.checkCharacters(bytes)
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), let first = bytes.first, ASCII.isAlpha(first),
            bytes[..<colon].allSatisfy(Self.isSchemeCharacter)
        else { throw .missingScheme }
        scheme = ASCII.lowercasedText(bytes[..<colon])
        restStart = colon + 1
        let slash = UInt8(ascii: "/")
        if bytes.count > colon + 2, bytes[colon + 1] == slash, bytes[colon + 2] == slash {
            let start = colon + 3
            pathStart = bytes[start...].firstIndex(of: slash) ?? bytes.endIndex
            authorityRange = start..<pathStart
            if bytes[start..<pathStart].contains(UInt8(ascii: "@")) { throw .userinfo }
        } else {
            pathStart = restStart
            authorityRange = nil
        }
    }

    /// Host (lower-cased) and port of an http or https URI.
    func hostAndPort(defaultPort: Int) throws(RedirectURIError.Kind) -> (host: String, port: Int) {
        guard let authority, !authority.isEmpty else { throw .missingHost }
        // The colons of an IPv6 literal stand inside its brackets.
        let hostEnd =
            authority.first == UInt8(ascii: "[")
            ? authority.firstIndex(of: UInt8(ascii: "]")).map { $0 + 1 }
            : authority.firstIndex(of: UInt8(ascii: ":"))
        let end = hostEnd ?? authority.endIndex
        guard end > authority.startIndex else { throw .missingHost }
        guard HostName.isValid(authority[..<end]) else { throw .invalidHost }
        let host = ASCII.lowercasedText(authority[..<end])
        guard end < authority.endIndex else { return (host, defaultPort) }
        guard authority[end] == UInt8(ascii: ":") else { throw .invalidHost }
        return (host, try Self.port(authority[(end + 1)...]))
    }

    private static func port(_ digits: ArraySlice<UInt8>) throws(RedirectURIError.Kind) -> Int {
        guard let first = digits.first, first != UInt8(ascii: "0"), digits.count <= 5, digits.allSatisfy(ASCII.isDigit),
            let port = Int(String(decoding: digits, as: UTF8.self)), port <= 65535
        else { throw .invalidPort }
        return port
    }

    private static func checkCharacters(_ bytes: [UInt8]) throws(RedirectURIError.Kind) {
        guard !bytes.isEmpty else { throw .empty }
        guard bytes.count <= maximumLength else { throw .tooLong }
        let flaws = flaws
        for byte in bytes {
            if let flaw = flaws[Int(byte)] { throw flaw }
        }
    }

    /// The fault of each byte; nil for most.
    private static let flaws: [RedirectURIError.Kind?] = (0...UInt8.max).map { byte in
        switch byte {
        case 0x80...: .nonASCII
        case UInt8(ascii: "\\"): .backslash
        case UInt8(ascii: "*"): .wildcard
        case UInt8(ascii: "#"): .fragment
        case UInt8(ascii: "?"): .query
        case 0...0x20, 0x7F: .forbiddenCharacter
        case _ where "<>\"{}|^`".utf8.contains(byte): .forbiddenCharacter
        default: nil
        }
    }

    private static func isSchemeCharacter(_ byte: UInt8) -> Bool {
        ASCII.isAlphanumeric(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: ".")
    }
}

/// Which hosts may stand in an http or https URI.
enum HostName {
    /// The hosts that always mean this machine (RFC 8252 section 7.3).
    static let loopback: Set<String> = ["127.0.0.1", "[::1]", "localhost"]

    /// Whether a host is a DNS name, a dotted IPv4 address or `[::1]`, written in its one usual form.
    ///
    /// Browsers read `2130706433` and `0x7f.1` as addresses, so a last label that begins with a digit is refused
    /// unless all four parts make a plain address. Other IPv6 literals are refused: they have many spellings, and no
    /// certificate authority and hardly an issuer takes them.
    static func isValid(_ host: ArraySlice<UInt8>) -> Bool {
        if host.first == UInt8(ascii: "[") { return host.elementsEqual("[::1]".utf8) }
        guard host.count <= 253 else { return false }
        var label = host.startIndex
        while let dot = host[label...].firstIndex(of: UInt8(ascii: ".")) {
            guard isLabel(host[label..<dot]) else { return false }
            label = dot + 1
        }
        guard isLabel(host[label...]) else { return false }
        return !ASCII.isDigit(host[label]) || isIPv4(host)
    }

    private static func isLabel(_ label: ArraySlice<UInt8>) -> Bool {
        (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
            && label.allSatisfy { ASCII.isAlphanumeric($0) || $0 == UInt8(ascii: "-") }
    }

    private static func isIPv4(_ host: ArraySlice<UInt8>) -> Bool {
        let parts = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return parts.count == 4
            && parts.allSatisfy { part in
                let text = String(decoding: part, as: UTF8.self)
                return UInt8(text).map(String.init) == text
            }
    }
}
