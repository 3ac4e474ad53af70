internal import SwitchyardText

extension RedirectURI {
    /// The part of a redirect URI that decides whether a callback belongs to it. Compared byte for byte, undecoded.
    public enum Form: Hashable, Sendable {
        /// `host` is lower-cased ASCII; `port` is 443 when left out; `path` is `/` when empty.
        case https(host: String, port: Int, path: String)
        /// http on 127.0.0.1, [::1] or localhost: any port, since the app gets a free one when it starts (RFC 8252
        /// section 7.3).
        case loopback(host: String, path: String)
        /// `scheme` is lower-cased; `rest` is everything after `scheme:` up to the query. Behind a host, a path of `/`
        /// is dropped: an empty path and `/` are equal (RFC 3986 section 6.2.3), and Entra adds `/` to a URI registered
        /// without.
        case customScheme(scheme: String, rest: String)
    }
}

extension RedirectURI.Form {
    /// The form of a URI without query and fragment.
    init(base: some Collection<UInt8>) throws(RedirectURIError.Kind) {
        let parts = try URIParts(base)
        switch parts.scheme {
        case "https":
            let (host, port) = try parts.hostAndPort(defaultPort: 443)
            try parts.checkPath()
            self = .https(host: host, port: port, path: Self.path(of: parts))
        case "http":
            let (host, _) = try parts.hostAndPort(defaultPort: 80)
            guard HostName.loopback.contains(host) else { throw .httpNotLoopback }
            try parts.checkPath()
            self = .loopback(host: host, path: Self.path(of: parts))
        default:
            try Self.checkCustom(parts)
            let isRoot = parts.authority != nil && parts.path.elementsEqual("/".utf8)
            self = .customScheme(
                scheme: parts.scheme, rest: String(decoding: isRoot ? parts.rest.dropLast() : parts.rest, as: UTF8.self)
            )
        }
    }

    /// An empty path is `/` on the wire (RFC 9110 section 4.2.3).
    private static func path(of parts: URIParts) -> String {
        parts.path.isEmpty ? "/" : String(decoding: parts.path, as: UTF8.self)
    }

    private static func checkCustom(_ parts: URIParts) throws(RedirectURIError.Kind) {
        if parts.scheme == "urn", parts.rest.elementsEqual("ietf:wg:oauth:2.0:oob".utf8) { throw .outOfBand }
        if unsafeSchemes.contains(parts.scheme) { throw .unsafeScheme }
        guard !parts.rest.isEmpty, parts.authority?.isEmpty != true else { throw .missingHost }
        if let authority = parts.authority {
            // A program that takes what follows the scheme for a path would climb up at a host of dots.
            let isDots = authority.prefix { $0 != UInt8(ascii: ";") }.allSatisfy { $0 == UInt8(ascii: ".") }
            guard authority.allSatisfy(isAuthorityCharacter), !isDots else { throw .invalidHost }
        }
        try parts.checkPath()
    }

    /// The host of a custom scheme is only a name: no escapes, no brackets.
    private static func isAuthorityCharacter(_ byte: UInt8) -> Bool {
        ASCII.isAlphanumeric(byte) || "-._~!$&'()+,;=:".utf8.contains(byte)
    }

    /// Schemes with a meaning of their own to browsers and desktops: a redirect to one runs a script, opens a file or
    /// starts a program unasked.
    private static let unsafeSchemes: Set<String> = [
        "about", "blob", "chrome", "data", "feed", "file", "filesystem", "ftp", "intent", "jar", "javascript", "mailto",
        "resource", "sms", "smb", "ssh", "tel", "urn", "vbscript", "view-source", "ws", "wss",
    ]
}
