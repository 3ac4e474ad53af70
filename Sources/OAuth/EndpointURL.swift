/// The reason why a text is no URL of an issuer or one of its endpoints.
public enum EndpointURLError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No URL that has one reading only.
    case malformed(RedirectURIError.Kind)
    /// The URL is neither https nor an allowed http on loopback.
    case insecure

    public var description: String {
        switch self {
        case .malformed(let kind): RedirectURIError(kind, text: "").message
        case .insecure: "is not https"
        }
    }
}

/// The URL of an issuer or one of its endpoints: https, or http on loopback where that was allowed. It may have a query
/// (RFC 6749 section 3.1), and no fragment and no user name.
public struct EndpointURL: Hashable, Sendable, CustomStringConvertible {
    /// The text, verbatim.
    public let text: String
    /// Whether the host is 127.0.0.1, [::1] or localhost.
    public let isLoopback: Bool
    /// In lower case, without a port.
    public let host: String
    /// False for plain http, which there is on loopback only.
    public let isSecure: Bool

    /// - Parameter allowingLoopbackHTTP: whether http passes on loopback; for development and tests.
    public init(_ text: String, allowingLoopbackHTTP: Bool) throws(EndpointURLError) {
        let bytes = Array(text.utf8)
        let question = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.endIndex
        let scheme: String
        do throws(RedirectURIError.Kind) {
            try Self.checkQuery(bytes[question...])
            let parts = try URIParts(bytes[..<question])
            guard parts.scheme == "https" || parts.scheme == "http" else { throw .unsafeScheme }
            host = try parts.hostAndPort(defaultPort: 443).host
            isLoopback = HostName.loopback.contains(host)
            scheme = parts.scheme
        } catch {
            throw .malformed(error)
        }
        isSecure = scheme == "https"
        guard isSecure || isLoopback && allowingLoopbackHTTP else { throw .insecure }
        self.text = text
    }

    public var description: String { text }

    /// The server of the endpoint: scheme, host and port in lower case, without the scheme's default port.
    public var origin: String {
        let start = text.firstRange(of: "://")?.upperBound ?? text.startIndex
        let end = text[start...].firstIndex { $0 == "/" || $0 == "?" } ?? text.endIndex
        let origin = text[..<end].lowercased()
        let port = isSecure ? ":443" : ":80"
        return origin.hasSuffix(port) ? String(origin.dropLast(port.utf8.count)) : origin
    }

    /// The query behind the `?`, undecoded; nil without one.
    public var query: Substring? {
        text.firstIndex(of: "?").map { text[text.index(after: $0)...] }
    }

    /// A query goes into a Location header and to libcurl: only visible ASCII, and no second meaning for `#`.
    private static func checkQuery(_ query: ArraySlice<UInt8>) throws(RedirectURIError.Kind) {
        for byte in query {
            switch byte {
            case UInt8(ascii: "#"): throw .fragment
            case 0...0x20, 0x7F: throw .forbiddenCharacter
            case 0x80...: throw .nonASCII
            default: break
            }
        }
    }
}
