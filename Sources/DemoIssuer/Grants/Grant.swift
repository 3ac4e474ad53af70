internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardReactor

/// What a person has allowed a client, as a code or a refresh token stands for it.
struct Grant: Sendable {
    let clientID: String
    /// As it stood in the authorization request.
    let redirectURI: String
    let scopes: Scopes
    let nonce: String?
    /// nil when a confidential client did not send one.
    let codeChallenge: String?
    let user: DemoUser
    /// The `claims` of the authorization request (OpenID Connect Core section 5.5).
    var claimsRequest: JSONObject?
    /// Whether the authorization request had `client_info=1`.
    var wantsClientInfo = false

    /// The same as a refresh token stands for it: nothing of the code is needed any more. It keeps its
    /// scopes however little the request asked for (RFC 6749 section 6).
    /// - Parameter clientID: who asked; of the same family when it is another.
    func forRefreshing(by clientID: String) -> Grant {
        Grant(
            clientID: clientID, redirectURI: redirectURI, scopes: scopes, nonce: nil, codeChallenge: nil, user: user)
    }
}

/// What one access token is good for.
struct AccessGrant: Sendable {
    let clientID: String
    let user: DemoUser
    /// Those of the request that it was an answer to, and no more.
    let scopes: Scopes
    /// The `claims` of that request (OpenID Connect Core section 5.5).
    let claimsRequest: JSONObject?
    let expiry: Instant
}
