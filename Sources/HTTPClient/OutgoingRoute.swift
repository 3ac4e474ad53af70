public import SwitchyardCrypto
internal import SwitchyardRouting
internal import SwitchyardText

/// How requests to other servers leave this machine: directly, or through a proxy.
///
/// Loopback and Unix sockets are always direct: a proxy would reach its own machine instead of this one. So is plain http,
/// which is for loopback only.
public struct OutgoingRoute: Hashable, Sendable {
    public var proxy: OutgoingProxy?
    /// The servers that are reached directly all the same.
    public var exceptions: [ProxyException]

    /// Without a proxy.
    public static let direct = OutgoingRoute(proxy: nil)

    public init(proxy: OutgoingProxy?, exceptions: [ProxyException] = []) {
        self.proxy = proxy
        self.exceptions = exceptions
    }

    /// The proxy for a URL; nil for a direct call.
    public func proxy(for url: String) -> OutgoingProxy? {
        guard let proxy, !url.lowercased().hasPrefix("http:"), let server = ServerName(of: url) else { return nil }
        if Self.isLoopback(server.host) || exceptions.contains(where: { $0.matches(server) }) { return nil }
        return proxy
    }

    private static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || host.hasSuffix(".localhost") || IPAddress(host)?.isLoopback == true
    }
}

/// Servers that are reached without the proxy.
public struct ProxyException: Hashable, Sendable {
    private enum Kind: Hashable {
        case everything
        case host(String)
        /// A domain and all hosts below it.
        case domain(String)
        /// Addresses. A name is not looked up for it: the name may be known to the proxy alone.
        case network(Network)
    }

    private let kind: Kind
    /// nil for every port.
    private let port: Int?

    /// Reads `HOST`, `.DOMAIN`, `*` or a network such as `10.0.0.0/8`; a host or domain may have a port.
    public init?(_ text: String) { self.init(text, namesDomains: false) }

    /// - Parameter namesDomains: whether a plain name also stands for the hosts below it, as it does in `NO_PROXY`.
    fileprivate init?(_ text: String, namesDomains: Bool) {
        if text == "*" {
            (kind, port) = (.everything, nil)
        } else if let network = Network(text) {
            (kind, port) = (.network(network), nil)
        } else {
            let name = text.hasPrefix("*.") ? text.dropFirst() : text[...]
            guard let server = ServerName(authority: name, standardPort: 0), !server.host.contains("*") else {
                return nil
            }
            port = server.port == 0 ? nil : server.port
            let host = server.host.hasPrefix(".") ? String(server.host.dropFirst()) : server.host
            guard !host.isEmpty, !host.hasPrefix(".") else { return nil }
            if let address = Network(host) {
                kind = .network(address)
            } else {
                // A last label of digits is an address that is written wrong.
                let last = host.split(separator: ".").last ?? ""
                guard last.utf8.contains(where: { !ASCII.isDigit($0) }), !host.contains(":") else { return nil }
                kind = namesDomains || name.hasPrefix(".") ? .domain(host) : .host(host)
            }
        }
    }

    fileprivate func matches(_ server: ServerName) -> Bool {
        guard port == nil || port == server.port else { return false }
        // A name may end in the dot of the root.
        let host = server.host.hasSuffix(".") ? String(server.host.dropLast()) : server.host
        switch kind {
        case .everything: return true
        case .host(let name): return host == name
        case .domain(let name): return host == name || host.hasSuffix(".\(name)")
        case .network(let network): return IPAddress(host).map(network.contains) ?? false
        }
    }
}

extension OutgoingRoute {
    /// The variables for the proxy of https requests, in the order in which they count.
    public static let proxyVariables = ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"]
    private static let exceptionVariables = ["no_proxy", "NO_PROXY"]

    /// The variable that names the proxy, and the route that the environment describes.
    /// - Throws: ``ProxyAddressError`` for a proxy that cannot be used.
    public static func environment(
        _ variables: [String: String], user: String? = nil, password: Secret? = nil, authorities: String? = nil
    ) throws(ProxyAddressError) -> (variable: String?, route: OutgoingRoute) {
        guard let variable = setVariable(variables), let text = variables[variable] else { return (nil, .direct) }
        let proxy = try OutgoingProxy(text, user: user, password: password, authorities: authorities)
        let exceptions = exceptionVariables.compactMap { variables[$0] }.first { !$0.isEmpty } ?? ""
        // An entry that cannot be read is left out, as other programs do: the variable is not only for this one.
        return (
            variable,
            OutgoingRoute(
                proxy: proxy,
                exceptions: exceptions.split { $0 == "," || $0 == " " }.compactMap {
                    ProxyException(String($0), namesDomains: true)
                })
        )
    }

    /// The variable of the environment that names a proxy for https requests; nil without one.
    public static func setVariable(_ variables: [String: String]) -> String? {
        proxyVariables.first { variables[$0]?.isEmpty == false }
    }
}
