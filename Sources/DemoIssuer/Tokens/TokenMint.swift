internal import SwitchyardCrypto
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardReactor

/// Makes token responses (RFC 6749 section 5.1) with their ID tokens (OpenID Connect Core section 2).
struct TokenMint: Sendable {
    let signer: JWTSigner
    let grants: GrantStore

    private static let lifetime = GrantStore.accessTokenLifetime

    func tokenResponse(for issue: TokenIssue, at address: IssuerAddress) throws(DemoIssuerError) -> JSONObject {
        let lifetimes = issue.misbehaviors.lifetimes.seconds
        let lifetime = lifetimes[.expiresIn] ?? Self.lifetime
        let accessToken = accessToken(for: issue, lifetime: max(lifetime, lifetimes[.extendedExpiresIn] ?? 0))
        var response: JSONObject = [
            "token_type": "Bearer", "access_token": .string(accessToken), "expires_in": .integer(lifetime),
            "scope": .string(issue.scopes.text),
        ]
        response["refresh_in"] = lifetimes[.refreshIn].map { .integer($0) }
        response["ext_expires_in"] = lifetimes[.extendedExpiresIn].map { .integer($0) }
        let misbehaviors = issue.misbehaviors.tokenResponse
        if misbehaviors.contains(.expiresOn) { response["expires_on"] = .integer(WallClock.seconds() + lifetime) }
        if issue.grant.scopes.contains("offline_access"), !misbehaviors.contains(.missingRefreshToken) {
            let lasting = issue.grant.forRefreshing(by: issue.clientID)
            response["refresh_token"] = .string(grants.issueRefreshToken(for: lasting))
            response["foci"] = issue.family.map { .string($0) }
        }
        if issue.wantsClientInfo {
            response["client_info"] = address.authority.clientInfo(of: issue.grant.user).map { .string($0) }
        }
        if issue.scopes.contains("openid"), !issue.misbehaviors.idToken.contains(.absent) {
            response["id_token"] = .string(try idToken(for: issue, accessToken: accessToken, at: address))
        }
        return misbehaviors.applied(to: response)
    }

    /// - Parameter lifetime: in seconds; the extended one, because that is how long resources take it in an outage.
    private func accessToken(for issue: TokenIssue, lifetime: Int64) -> String {
        grants.issueAccessToken(
            for: AccessGrant(
                clientID: issue.clientID, user: issue.grant.user, scopes: issue.scopes,
                claimsRequest: issue.claimsRequest, expiry: Instant.now() + .seconds(lifetime)))
    }

    private func idToken(
        for issue: TokenIssue, accessToken: String, at address: IssuerAddress
    ) throws(DemoIssuerError) -> String {
        let misbehaviors = issue.misbehaviors.idToken
        if misbehaviors.contains(.noJWT) { return Random.token() }
        for case let change? in misbehaviors.lazy.map(\.keyChange) { try signer.keys.apply(change) }
        let now = WallClock.seconds()
        var claims = address.authority.claims(about: issue.grant.user)
        claims["iss"] = .string(address.issuerInTokens)
        claims["aud"] = .string(issue.clientID)
        claims["iat"] = .integer(now)
        claims["exp"] = .integer(now + Self.lifetime)
        claims["nonce"] = issue.grant.nonce.map { .string($0) }
        claims["at_hash"] = .string(Self.hash(of: accessToken))
        if let code = issue.code, misbehaviors.contains(.codeHash) { claims["c_hash"] = .string(Self.hash(of: code)) }
        for misbehavior in misbehaviors { misbehavior.apply(to: &claims, clientID: issue.clientID, now: now) }
        return try signer.sign(claims, misbehaviors.lazy.compactMap(\.signature).first ?? .honest)
    }

    /// `at_hash` and `c_hash` (OpenID Connect Core section 3.1.3.6): every algorithm here goes with SHA-256.
    private static func hash(of value: String) -> String {
        Base64URL.encode(Array(SHA256Digest(of: value).bytes.prefix(16)))
    }
}
