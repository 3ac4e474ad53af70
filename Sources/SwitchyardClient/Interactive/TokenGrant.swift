internal import JSON
internal import OAuth
internal import Redemption

/// Tokens that were obtained, whoever redeemed the code: verified, and not yet cached.
struct TokenGrant: Sendable {
    let response: TokenResponse
    /// nil without an ID token.
    let claims: JSONObject?
    let granted: Scopes
    let requested: Scopes

    init(_ tokens: RedeemedTokens, requested: Scopes) {
        response = tokens.response
        claims = tokens.idTokenClaims
        granted = tokens.grantedScopes
        self.requested = requested
    }

    init(_ response: TokenResponse, claims: JSONObject?, requested: Scopes) {
        self.response = response
        self.claims = claims
        granted = response.scope ?? requested
        self.requested = requested
    }
}
