public import SwitchyardCrypto
public import SwitchyardRouting

/// One address that the gateway listens on, and its services.
public struct ListenerConfiguration: Hashable, Sendable {
    /// A service of a listener.
    public enum Service: String, CaseIterable, Hashable, Sendable {
        /// Redirect URIs and the pages that a browser sees.
        case callbacks
        /// `/v1/`, for apps.
        case api
        /// `/healthz`, `/readyz`, `/metrics`.
        case admin
    }

    public let address: ListenerAddress
    /// Certificates by which the listener speaks TLS; the first answers an unknown or absent server name. Empty for
    /// plain text.
    public let tls: [CertificateFiles]
    /// Never empty.
    public let serve: Set<Service>
    /// Whether it serves only the user of this process; other users are refused. Only on a Unix socket, or on loopback,
    /// where root's programs are served too.
    public var isForOwner = false
}

/// The address of a listener.
public enum ListenerAddress: Hashable, Sendable, CustomStringConvertible {
    /// Port 0 lets the kernel choose a free one.
    case tcp(IPAddress, port: UInt16)
    /// `path` is at most 107 bytes long; `mode` is its permission bits; `group` owns it when given.
    case unix(path: String, mode: UInt32, group: String?)

    /// Only this machine can connect.
    public var isLocal: Bool {
        switch self {
        case .tcp(let address, _): address.isLoopback
        case .unix: true
        }
    }

    public var description: String {
        switch self {
        case .tcp(let address, let port): address.isIPv4 ? "\(address):\(port)" : "[\(address)]:\(port)"
        case .unix(let path, _, _): "unix:\(path)"
        }
    }

    /// Reads `address:port`, an IPv6 address in brackets. nil for a host name too: which address it means can change.
    static func parseTCP(_ text: String) -> ListenerAddress? {
        guard let colon = text.lastIndex(of: ":") else { return nil }
        var host = text[..<colon]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        if isBracketed { host = host.dropFirst().dropLast() }
        let digits = text[text.index(after: colon)...]
        guard let port = UInt16(digits), String(port) == digits, let address = IPAddress(String(host)),
            isBracketed == host.contains(":")
        else { return nil }
        return .tcp(address, port: port)
    }
}
