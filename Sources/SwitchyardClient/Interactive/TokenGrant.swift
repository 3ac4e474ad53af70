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
    let correlationID: String?
    /// Where the tokens are from, if not from where the request went: an issuer may send people to another of its clouds.
    var authority: Authority?

    init(_ tokens: RedeemedTokens, requested: Scopes, correlationID: String?) {
        self.correlationID = correlationID
        response = tokens.response
        claims = tokens.idTokenClaims
        granted = tokens.grantedScopes
        self.requested = requested
    }

    init(_ response: TokenResponse, claims: JSONObject?, requested: Scopes) {
        correlationID = nil
        self.response = response
        self.claims = claims
        granted = response.scope ?? requested
        self.requested = requested
    }
}
