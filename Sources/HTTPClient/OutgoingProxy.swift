public import SwitchyardCrypto
internal import SwitchyardText

/// A proxy through which https requests leave (RFC 9110 section 9.3.6). It sees host and port of each server, and no content.
public struct OutgoingProxy: Hashable, Sendable, CustomStringConvertible {
    /// The scheme, the host and the port, without credentials: for messages and for libcurl.
    public let address: String
    /// Whether the proxy itself is reached by TLS.
    public let isTLS: Bool
    public let user: String?
    public let password: Secret?
    /// Path of a PEM file that is trusted beside the system's authorities: for the proxy's own certificate, and for the
    /// certificates of a proxy that opens TLS.
    public let authorities: String?

    public var description: String { address }
}

/// The reason why a text is no address of a proxy. The text itself is left out, because it may hold a password.
public enum ProxyAddressError: Error, Hashable, Sendable {
    /// A scheme other than http and https, such as socks5.
    case scheme(String)
    /// A host or port that is missing or wrong.
    case malformed
}

extension OutgoingProxy {
    /// The form of an address, for messages.
    public static let form = "http://HOST:PORT, or https://HOST:PORT for a proxy that is reached by TLS"

    /// Reads `[SCHEME://][USER[:PASSWORD]@]HOST[:PORT][/]`, as environment variables have it. Without a scheme it is http.
    public init(
        _ text: String, user: String? = nil, password: Secret? = nil, authorities: String? = nil
    ) throws(ProxyAddressError) {
        let bytes = Array(text.utf8)
        guard bytes.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }) else { throw .malformed }
        var rest = text[...]
        var scheme = "http"
        if let separator = rest.firstRange(of: "://") {
            scheme = rest[..<separator.lowerBound].lowercased()
            rest = rest[separator.upperBound...]
        }
        guard scheme == "http" || scheme == "https" else { throw .scheme(scheme) }
        if rest.hasSuffix("/") { rest = rest.dropLast() }
        guard !rest.utf8.contains(where: { "/?#".utf8.contains($0) }) else { throw .malformed }
        var credentials: (user: String, password: Secret?)?
        if let at = rest.lastIndex(of: "@") {
            credentials = try Self.credentials(rest[..<at])
            rest = rest[rest.index(after: at)...]
        }
        guard let server = ServerName(authority: rest, standardPort: scheme == "https" ? 443 : 80) else {
            throw .malformed
        }
        isTLS = scheme == "https"
        address = "\(scheme)://\(server)"
        self.user = user ?? credentials?.user
        // A password belongs to its user: that of the address is not sent with another name.
        self.password = password ?? (user == nil ? credentials?.password : nil)
        self.authorities = authorities
    }

    /// Whether the text holds a user or a password.
    public static func hasCredentials(_ text: String) -> Bool { text.contains("@") }

    private static func credentials(
        _ text: Substring
    ) throws(ProxyAddressError) -> (user: String, password: Secret?) {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
        guard let user = decoded(parts[0]), !user.isEmpty, !user.contains(where: \.isNewline) else { throw .malformed }
        guard parts.count == 2 else { return (user: user, password: nil) }
        guard let password = decoded(parts[1]) else { throw .malformed }
        return (user: user, password: Secret(password))
    }

    /// The text without percent encoding; nil for a broken one.
    private static func decoded(_ text: Substring) -> String? {
        var out: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                out.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16),
                value >= 0x20, value != 0x7F
            else { return nil }
            out.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: out, as: UTF8.self)
    }
}
