internal import SwitchyardOAuth
internal import SwitchyardText

/// A plain-http address on loopback: where a tool of the far machine listens.
public struct LoopbackEndpoint: Hashable, Sendable {
    /// The name of loopback in the address; the raw value is its text. A browser and a tool may tell them apart.
    public enum Host: String, Hashable, Sendable {
        case ipv4 = "127.0.0.1"
        case ipv6 = "[::1]"
        case localhost
    }

    public let host: Host
    /// From 1024 up: a tool that needs no privilege listens there, and a service of the machine seldom does.
    public let port: UInt16
    /// Byte for byte, undecoded; begins with a slash.
    public let path: String

    public static let lowestPort: UInt16 = 1024

    /// - Parameter text: without a query.
    init(_ text: String) throws(Objection) {
        let uri: RedirectURI
        do throws(RedirectURIError) {
            uri = try RedirectURI(text)
        } catch {
            throw error.kind == .httpNotLoopback ? .redirectElsewhere : .redirectMalformed
        }
        guard case .loopback(let name, let path) = uri.form, let host = Host(rawValue: name) else {
            throw Self.isSecureLoopback(uri.form) ? .secureLoopback : .redirectElsewhere
        }
        guard let port = uri.loopbackPort, port >= Self.lowestPort else { throw .noPort }
        self.host = host
        self.port = port
        self.path = path
    }

    private static func isSecureLoopback(_ form: RedirectURI.Form) -> Bool {
        guard case .https(let host, _, _) = form else { return false }
        return Host(rawValue: host) != nil
    }

    /// The authority for `Host` and for addresses.
    public var authority: String { "\(host.rawValue):\(port)" }

    public var origin: String { "http://\(authority)" }

    /// By each of the names that a tool may have for itself.
    var origins: [String] { [Host.localhost, .ipv4, .ipv6].map { "http://\($0.rawValue):\(port)" } }

    /// The addresses to listen at: browsers try both for `localhost`.
    public var addresses: [String] {
        switch host {
        case .ipv4: ["127.0.0.1"]
        case .ipv6: ["::1"]
        case .localhost: ["127.0.0.1", "::1"]
        }
    }
}
