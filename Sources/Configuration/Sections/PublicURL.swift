internal import SwitchyardOAuth

/// How browsers reach the gateway: a scheme, a host and a port, and no path.
///
/// https, or plain http on loopback for development. The host is lower-cased ASCII.
public struct PublicURL: Hashable, Sendable, CustomStringConvertible {
    public let isHTTPS: Bool
    public let host: String
    public let port: Int
    /// Whether the host is 127.0.0.1, [::1] or localhost.
    public let isLoopback: Bool

    /// The reason why a text is no public URL.
    struct Problem: Error, Equatable {
        let message: String
        let remedy: String
    }

    init(_ text: String) throws(Problem) {
        // The rules for a host that has one reading only are those of a redirect URI.
        let uri: RedirectURI
        do {
            uri = try RedirectURI(text)
        } catch {
            throw Problem(message: error.message, remedy: error.remedy)
        }
        let path: String
        switch uri.form {
        case .https(let host, let port, let found):
            (isHTTPS, self.host, self.port, path) = (true, host, port, found)
        case .loopback(let host, let found):
            (isHTTPS, self.host, self.port, path) = (false, host, Self.port(ofHTTP: text) ?? 80, found)
        case .customScheme:
            throw Problem(message: "is no https URL", remedy: Self.example)
        }
        guard path == "/" else { throw Problem(message: "has a path", remedy: Self.example) }
        isLoopback = ["127.0.0.1", "[::1]", "localhost"].contains(host)
    }

    /// The origin (RFC 6454 section 6.2): the port is left out when it is the scheme's own.
    public var description: String {
        let isUsual = port == (isHTTPS ? 443 : 80)
        return "\(isHTTPS ? "https" : "http")://\(host)\(isUsual ? "" : ":\(port)")"
    }

    static let example = "write it as https://login.example.com, without a path; http only on loopback"

    /// The port of a valid loopback URI, which matching leaves aside.
    private static func port(ofHTTP text: String) -> Int? {
        let authority = text.utf8.dropFirst("http://".utf8.count).prefix { $0 != UInt8(ascii: "/") }
        guard let colon = authority.lastIndex(of: UInt8(ascii: ":")) else { return nil }
        return Int(Substring(authority[authority.index(after: colon)...]))
    }
}
