internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardReactor

/// What one access token is good for.
struct AccessGrant: Sendable {
    let clientID: String
    let user: DemoUser
    /// Those of the request that it was an answer to, and no more.
    let scopes: Scopes
    /// The `claims` of that request (OpenID Connect Core section 5.5).
    let claimsRequest: JSONObject?
    let expiry: Instant

    /// The resources that it is for: `api://mail` for the scope `api://mail/read`, `mail` for `mail.read`.
    var audience: [String] {
        var resources: [String] = []
        for resource in scopes.names.compactMap(Self.resource) where !resources.contains(resource) {
            resources.append(resource)
        }
        return resources
    }

    /// nil for a scope that is about the sign-in itself.
    static func resource(ofScope scope: String) -> String? {
        if Scopes.reserved.contains(scope) || Misbehaviors.isRequested(byScope: scope) { return nil }
        if let slash = scope.lastIndex(of: "/") { return String(scope[..<slash]) }
        return String(scope.prefix { $0 != "." })
    }
}
