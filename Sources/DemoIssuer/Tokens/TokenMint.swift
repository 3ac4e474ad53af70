internal import SwitchyardCrypto
package import SwitchyardJSON
package import SwitchyardOAuth
internal import SwitchyardReactor
internal import SwitchyardText

/// The parts of one token response.
package struct TokenIssue: Sendable {
    /// As the code or the refresh token stood for it.
    let grant: Grant
    /// The client that asked: the client of the grant, or one of its family.
    package let clientID: String
    /// The scopes granted to this request, out of all that the person has allowed.
    package var scopes: Scopes
    /// The code that the grant was redeemed with; nil for a refresh.
    package let code: String?
    /// The `claims` that the access token answers to.
    let claimsRequest: JSONObject?
    let wantsClientInfo: Bool
    /// The client's family, told as `foci`.
    let family: String?
    /// Seconds for which the access token is good.
    package var lifetime = GrantStore.accessTokenLifetime
    /// Whether a refresh token comes along, if the grant has one.
    package var hasRefreshToken = true
}

/// Makes token responses (RFC 6749 section 5.1) with their ID tokens (OpenID Connect Core section 2).
package struct TokenMint: Sendable {
    let keys: SigningKeys
    let grants: GrantStore

    func tokenResponse(for issue: TokenIssue, at address: IssuerAddress) throws(DemoIssuerError) -> JSONObject {
        var (members, claims) = content(for: issue, at: address)
        if let claims { members["id_token"] = .string(try keys.sign(claims)) }
        return members
    }

    /// The members of a token response, and apart from them what its ID token says; nil without one.
    package func content(for issue: TokenIssue, at address: IssuerAddress) -> (members: JSONObject, claims: JSONObject?)
    {
        let accessToken = grants.issueAccessToken(
            for: AccessGrant(
                clientID: issue.clientID, user: issue.grant.user, scopes: issue.scopes,
                claimsRequest: issue.claimsRequest, expiry: Instant.now() + .seconds(issue.lifetime)))
        var members: JSONObject = [
            "token_type": "Bearer", "access_token": .string(accessToken), "expires_in": .integer(issue.lifetime),
            "scope": .string(issue.scopes.text),
        ]
        if issue.grant.scopes.contains("offline_access"), issue.hasRefreshToken {
            let lasting = issue.grant.forRefreshing(by: issue.clientID)
            members["refresh_token"] = .string(grants.issueRefreshToken(for: lasting))
            members["foci"] = issue.family.map { .string($0) }
        }
        if issue.wantsClientInfo {
            members["client_info"] = address.authority.clientInfo(of: issue.grant.user).map { .string($0) }
        }
        return (members, issue.scopes.contains("openid") ? claims(for: issue, accessToken, at: address) : nil)
    }

    private func claims(for issue: TokenIssue, _ accessToken: String, at address: IssuerAddress) -> JSONObject {
        let now = WallTime.now().seconds
        var claims = address.authority.claims(about: issue.grant.user)
        claims["iss"] = .string(address.issuerInTokens)
        claims["aud"] = .string(issue.clientID)
        claims["iat"] = .integer(now)
        claims["exp"] = .integer(now + GrantStore.accessTokenLifetime)
        claims["nonce"] = issue.grant.nonce.map { .string($0) }
        claims["at_hash"] = .string(Self.hash(of: accessToken))
        return claims
    }

    /// `at_hash` and `c_hash` (OpenID Connect Core section 3.1.3.6): every algorithm here goes with SHA-256.
    package static func hash(of value: String) -> String {
        Base64URL.encode(Array(SHA256Digest(of: value).bytes.prefix(16)))
    }
}
