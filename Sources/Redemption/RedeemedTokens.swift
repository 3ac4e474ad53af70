public import SwitchyardJSON
public import SwitchyardOAuth

/// What a code was worth. The ID token, if there is one, has been verified.
public struct RedeemedTokens: Sendable {
    public let response: TokenResponse
    /// nil without an ID token.
    public let idTokenClaims: JSONObject?
    /// What the issuer says it granted; what was asked for when it says nothing (RFC 6749 section 5.1).
    public let grantedScopes: Scopes
    /// What was asked for and not granted.
    public let declinedScopes: Scopes
}
