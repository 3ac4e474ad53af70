internal import Crypto
internal import JSON
internal import OAuth
internal import Reactor

/// Makes token responses (RFC 6749 section 5.1) with their ID tokens (OpenID Connect Core section 2).
struct TokenMint: Sendable {
    let key: SigningKey
    let grants: GrantStore

    private static let lifetime = GrantStore.accessTokenLifetime

    /// - Parameter scopes: what is granted of the scopes of `grant`.
    func tokenResponse(for grant: Grant, scopes: Scopes, issuer: String) throws(DemoIssuerError) -> JSONObject {
        let lasting = grant.forTokens(scopes)
        let accessToken = grants.issueAccessToken(for: lasting)
        var response: JSONObject = [
            "token_type": "Bearer", "access_token": .string(accessToken), "expires_in": .integer(Self.lifetime),
            "scope": .string(scopes.text),
        ]
        if scopes.contains("offline_access") {
            response["refresh_token"] = .string(grants.issueRefreshToken(for: lasting))
        }
        if scopes.contains("openid") {
            response["id_token"] = .string(try idToken(for: grant, accessToken: accessToken, issuer: issuer))
        }
        return response
    }

    private func idToken(for grant: Grant, accessToken: String, issuer: String) throws(DemoIssuerError) -> String {
        let now = WallClock.seconds()
        var claims = grant.user.claims
        claims["iss"] = .string(issuer)
        claims["aud"] = .string(grant.clientID)
        claims["iat"] = .integer(now)
        claims["exp"] = .integer(now + Self.lifetime)
        claims["nonce"] = grant.nonce.map { .string($0) }
        claims["at_hash"] = .string(Self.hash(of: accessToken))
        claims.misbehave(grant.misbehaviors)
        let token = try key.sign(JSONValue.object(claims).serialized)
        return grant.misbehaviors.contains(.wrongSignature) ? Self.withWrongSignature(token) : token
    }

    /// `at_hash` (OpenID Connect Core section 3.1.3.6): every algorithm here goes with SHA-256.
    private static func hash(of accessToken: String) -> String {
        Base64URL.encode(Array(SHA256Digest(of: accessToken).bytes.prefix(16)))
    }

    /// The same token with one bit of its signature flipped.
    private static func withWrongSignature(_ token: String) -> String {
        guard let dot = token.lastIndex(of: "."),
            var signature = Base64URL.decode(Array(token[token.index(after: dot)...].utf8)),
            let last = signature.indices.last
        else { return token }
        signature[last] ^= 1
        return token[...dot] + Base64URL.encode(signature)
    }
}

extension JSONObject {
    /// Makes the claims of an ID token wrong in the ways that were asked for.
    fileprivate mutating func misbehave(_ misbehaviors: Set<Misbehavior>) {
        for misbehavior in misbehaviors {
            switch misbehavior {
            case .wrongNonce: self["nonce"] = .string(Random.token())
            case .wrongIssuer: self["iss"] = "https://issuer.invalid"
            case .wrongAudience: self["aud"] = "another-client"
            case .expired:
                let now = WallClock.seconds()
                self["iat"] = .integer(now - 7200)
                self["exp"] = .integer(now - 3600)
            default: break
            }
        }
    }
}
