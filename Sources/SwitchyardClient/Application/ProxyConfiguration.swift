internal import SwitchyardCrypto
package import SwitchyardHTTPClient
internal import SwitchyardReactor

/// The proxy through which calls leave this machine. Calls to this machine itself are always direct.
public struct ProxyConfiguration: Sendable, CustomReflectable {
    /// Calls leave directly.
    public static var none: Self { Self(source: .none) }

    /// The proxy that `HTTPS_PROXY` (or `ALL_PROXY`) names, except for the servers that `NO_PROXY` lists.
    public static var environment: Self { Self(source: .environment) }

    /// A proxy by its address.
    /// - Parameters:
    ///   - address: `http://HOST:PORT`, or `https://HOST:PORT` for a proxy that is reached by TLS; checked when the
    ///     application is made.
    ///   - user: if the proxy asks for one (Basic authentication).
    ///   - password: the user's.
    ///   - trustAnchor: path of a PEM file that is trusted beside the system's authorities: for the proxy itself, and for a
    ///     proxy that opens TLS.
    ///   - exceptions: servers that are reached directly: hosts, domains such as `.corp.example`, and networks such as
    ///     `10.0.0.0/8`.
    public static func address(
        _ address: String, user: String? = nil, password: String? = nil, trustAnchor: String? = nil,
        exceptions: [String] = []
    ) -> Self {
        Self(
            source: .address(
                address, user: user, password: password.map { Secret($0) }, trustAnchor: trustAnchor,
                exceptions: exceptions))
    }

    /// A route that is checked already: an agent's.
    package static func checked(_ route: OutgoingRoute) -> Self { Self(source: .checked(route)) }

    private enum Source {
        case none, environment
        case address(String, user: String?, password: Secret?, trustAnchor: String?, exceptions: [String])
        case checked(OutgoingRoute)
    }

    private let source: Source

    /// Without the password.
    public var customMirror: Mirror { Mirror(self, children: []) }

    func route() throws(AuthenticationError) -> OutgoingRoute {
        switch source {
        case .none: return .direct
        case .checked(let route): return route
        case .environment:
            return try Self.checked { () throws(ProxyAddressError) in
                try OutgoingRoute.environment(ChildProcess.ownVariables).route
            }
        case .address(let address, let user, let password, let trustAnchor, let exceptions):
            let proxy = try Self.checked { () throws(ProxyAddressError) in
                try OutgoingProxy(address, user: user, password: password, authorities: trustAnchor)
            }
            var servers: [ProxyException] = []
            for text in exceptions {
                guard let server = ProxyException(text) else {
                    throw Self.error("the proxy's exception \"\(text)\" is no host, domain or network")
                }
                servers.append(server)
            }
            return OutgoingRoute(proxy: proxy, exceptions: servers)
        }
    }

    private static func checked<Value>(
        _ read: () throws(ProxyAddressError) -> Value
    ) throws(AuthenticationError) -> Value {
        do throws(ProxyAddressError) {
            return try read()
        } catch {
            throw Self.error("the address of the proxy cannot be used; write \(OutgoingProxy.form)")
        }
    }

    private static func error(_ words: String) -> AuthenticationError {
        AuthenticationError(.invalidConfiguration, .invalidParameter, words)
    }
}
