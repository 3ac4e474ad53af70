internal import SwitchyardJSON

/// An issuer's endpoints for clients that show a certificate (`mtls_endpoint_aliases`, RFC 8705 section 5). An endpoint
/// without an alias serves those clients too.
public struct MutualTLSAliases: Hashable, Sendable {
    var token: EndpointURL?
    var revocation: EndpointURL?
    var pushedRequest: EndpointURL?
    var userInfo: EndpointURL?

    /// No aliases.
    public init() {}

    /// - Parameter metadata: the issuer's document. A malformed alias counts as absent, because few clients need it.
    init(_ metadata: JSONObject, allowingLoopbackHTTP: Bool) {
        let aliases = metadata["mtls_endpoint_aliases"]?.object ?? JSONObject()
        func endpoint(_ name: String) -> EndpointURL? {
            aliases[name]?.string.flatMap { try? EndpointURL($0, allowingLoopbackHTTP: allowingLoopbackHTTP) }
        }
        token = endpoint("token_endpoint")
        revocation = endpoint("revocation_endpoint")
        pushedRequest = endpoint("pushed_authorization_request_endpoint")
        userInfo = endpoint("userinfo_endpoint")
    }

    /// The member `mtls_endpoint_aliases` of the issuer's document; nil without an alias.
    var json: JSONObject? {
        guard self != MutualTLSAliases() else { return nil }
        var object = JSONObject()
        object["token_endpoint"] = token.map { .string($0.text) }
        object["revocation_endpoint"] = revocation.map { .string($0.text) }
        object["pushed_authorization_request_endpoint"] = pushedRequest.map { .string($0.text) }
        object["userinfo_endpoint"] = userInfo.map { .string($0.text) }
        return object
    }
}

/// The endpoints that a client calls itself.
public struct ClientEndpoints: Hashable, Sendable {
    public let token: EndpointURL
    public let revocation: EndpointURL?
    public let pushedRequest: EndpointURL?
    public let userInfo: EndpointURL?
}

extension IssuerMetadata {
    /// The endpoints for a client that proves itself like this.
    public func endpoints(for authentication: ClientAuthentication) -> ClientEndpoints {
        let aliases = authentication.certificate == nil ? MutualTLSAliases() : mutualTLSAliases
        return ClientEndpoints(
            token: aliases.token ?? tokenEndpoint, revocation: aliases.revocation ?? revocationEndpoint,
            pushedRequest: aliases.pushedRequest ?? pushedRequestEndpoint,
            userInfo: aliases.userInfo ?? userInfoEndpoint)
    }
}
