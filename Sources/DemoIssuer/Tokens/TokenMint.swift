internal import Crypto
internal import JSON
internal import OAuth
internal import Reactor

/// Makes token responses (RFC 6749 section 5.1) with their ID tokens (OpenID Connect Core section 2).
struct TokenMint: Sendable {
    let signer: JWTSigner
    let grants: GrantStore

    private static let lifetime = GrantStore.accessTokenLifetime

    /// - Parameters:
    ///   - scopes: what is granted of the scopes of `grant`.
    ///   - code: what the grant was redeemed with; nil for a refresh.
    func tokenResponse(
        for grant: Grant, scopes: Scopes, code: String?, issuer: String
    ) throws(DemoIssuerError) -> JSONObject {
        let lasting = grant.forTokens(scopes)
        let accessToken = grants.issueAccessToken(for: lasting)
        var response: JSONObject = [
            "token_type": "Bearer", "access_token": .string(accessToken), "expires_in": .integer(Self.lifetime),
            "scope": .string(scopes.text),
        ]
        if scopes.contains("offline_access") {
            response["refresh_token"] = .string(grants.issueRefreshToken(for: lasting))
        }
        if scopes.contains("openid"), !grant.misbehaviors.idToken.contains(.absent) {
            response["id_token"] = .string(
                try idToken(for: grant, accessToken: accessToken, code: code, issuer: issuer))
        }
        for misbehavior in grant.misbehaviors.tokenResponse { misbehavior.apply(to: &response) }
        return response
    }

    private func idToken(
        for grant: Grant, accessToken: String, code: String?, issuer: String
    ) throws(DemoIssuerError) -> String {
        let misbehaviors = grant.misbehaviors.idToken
        if misbehaviors.contains(.noJWT) { return Random.token() }
        for case let change? in misbehaviors.lazy.map(\.keyChange) { try signer.keys.apply(change) }
        let now = WallClock.seconds()
        var claims = grant.user.claims
        claims["iss"] = .string(issuer)
        claims["aud"] = .string(grant.clientID)
        claims["iat"] = .integer(now)
        claims["exp"] = .integer(now + Self.lifetime)
        claims["nonce"] = grant.nonce.map { .string($0) }
        claims["at_hash"] = .string(Self.hash(of: accessToken))
        if let code, misbehaviors.contains(.codeHash) { claims["c_hash"] = .string(Self.hash(of: code)) }
        for misbehavior in misbehaviors { misbehavior.apply(to: &claims, clientID: grant.clientID, now: now) }
        return try signer.sign(claims, misbehaviors.lazy.compactMap(\.signature).first ?? .honest)
    }

    /// `at_hash` and `c_hash` (OpenID Connect Core section 3.1.3.6): every algorithm here goes with SHA-256.
    private static func hash(of value: String) -> String {
        Base64URL.encode(Array(SHA256Digest(of: value).bytes.prefix(16)))
    }
}
