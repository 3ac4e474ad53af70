internal import SwitchyardJSON
package import SwitchyardOAuth
internal import SwitchyardReactor

/// The consent of a person to a client that a code or a refresh token stands for.
package struct Grant: Sendable {
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

    /// The grant of a sign-in without a browser.
    package static func direct(clientID: String, scopes: Scopes, user: DemoUser) -> Grant {
        Grant(clientID: clientID, redirectURI: "", scopes: scopes, nonce: nil, codeChallenge: nil, user: user)
    }

    /// The grant of a refresh token: without the fields of the code, and with all its scopes even if the request asked
    /// for fewer (RFC 6749 section 6).
    /// - Parameter clientID: the client that asks; another client must be of the same family.
    func forRefreshing(by clientID: String) -> Grant {
        Grant(
            clientID: clientID, redirectURI: redirectURI, scopes: scopes, nonce: nil, codeChallenge: nil, user: user)
    }
}

/// The grant of one access token.
struct AccessGrant: Sendable {
    let clientID: String
    let user: DemoUser
    /// Those of the request that it was an answer to, and no more.
    let scopes: Scopes
    /// The `claims` of that request (OpenID Connect Core section 5.5).
    let claimsRequest: JSONObject?
    let expiry: Instant
}
