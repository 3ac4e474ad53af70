/// The one place that makes requests to addresses that others gave: metadata of resources, what these name, and all that
/// follows from it. Such a request is https, follows no redirect, takes at most 64 KiB in at most 5 s, and goes to no server of
/// special use.
public struct GivenAddressRules: Hashable, Sendable {
    /// For a whole exchange.
    public static let timeout = Duration.seconds(5)
    /// For the content of an answer.
    public static let maximumBytes = 64 * 1024
    /// The most documents that one begin may have fetched.
    public static let maximumDocuments = 6

    /// The hosts that the operator named, in lower case and without a port. They may be private or loopback. Plain http passes
    /// on loopback only: in a private network tokens would cross it in the clear.
    public var namedHosts: Set<String>
    /// Path of a PEM file with more trust anchors, beside the system's.
    public var trustAnchor: String?
    public var route: OutgoingRoute

    public init(namedHosts: Set<String> = [], trustAnchor: String? = nil, route: OutgoingRoute = .direct) {
        self.namedHosts = namedHosts
        self.trustAnchor = trustAnchor
        self.route = route
    }

    /// Whether the operator named the host of a URL.
    public func isNamed(_ url: String) -> Bool {
        guard let host = ServerName(of: url)?.host else { return false }
        return namedHosts.contains(host) || namedHosts.contains("[\(host)]")
    }

    /// Whether a URL's host is written as an address to which no connection is made. A name is judged when it is looked up.
    public func refusesHost(of url: String) -> Bool {
        guard let host = ServerName(of: url)?.host else { return true }
        let rule = isNamed(url) ? DestinationRule.namedHost : .publicServer
        return rule.objection(toHost: host) != nil
    }

    /// - Parameter url: an absolute URL that was parsed before.
    public func request(
        _ method: OutgoingRequest.Method, _ url: String, headers: [(String, String)] = [("Accept", "application/json")],
        body: [UInt8]? = nil
    ) -> OutgoingRequest {
        let isNamed = isNamed(url)
        var request = OutgoingRequest(
            method, url, headers: headers, body: body, timeout: Self.timeout, maximumBytes: Self.maximumBytes,
            trustAnchor: trustAnchor, route: route, allowsPlainHTTP: isNamed)
        request.destination = isNamed ? .namedHost : .publicServer
        return request
    }
}
