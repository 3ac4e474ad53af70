internal import SwitchyardCrypto
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardRedemption

/// New tokens, verified but not yet cached. This process or a gateway redeemed the code.
struct TokenGrant: Sendable {
    let response: TokenResponse
    /// nil without an ID token.
    let claims: JSONObject?
    /// The account of the tokens, for an issuer without ID tokens; nil if the issuer was not asked.
    let identity: AccountIdentity?
    let granted: Scopes
    let requested: Scopes
    let correlationID: String?
    /// The authority that gave the tokens, if it is not the requested one: an issuer may send people to another of its
    /// clouds.
    var authority: Authority?

    /// The origin of the token endpoint; the refresh token goes to this origin only.
    let origin: String

    /// The private key that the tokens are bound to, as a JWK; nil for bearer tokens.
    var bindingKey: Secret?

    /// Whether a gateway obtained them, which does not ask for `client_info`.
    let isFromGateway: Bool
    /// The scopes that are asked for in every sign-in.
    let automaticScopes: Scopes

    init(_ tokens: RedeemedTokens, requested: Scopes, automatic: Scopes, correlationID: String?) {
        response = tokens.response
        claims = tokens.idTokenClaims
        identity = tokens.identity
        automaticScopes = automatic
        // If the issuer names no scopes, the token has the requested ones, but not those that were only consented to.
        granted = tokens.response.scope?.granted(for: requested) ?? requested
        self.requested = requested
        self.correlationID = correlationID
        origin = tokens.origin
        bindingKey = tokens.bindingKey
        isFromGateway = false
    }

    /// Tokens that a gateway brought.
    /// - Parameter origin: of their issuer's token endpoint.
    init(
        _ response: TokenResponse, claims: JSONObject?, identity: AccountIdentity? = nil, origin: String,
        requested: Scopes, automatic: Scopes, correlationID: String?
    ) {
        self.response = response
        self.claims = claims
        self.identity = identity
        automaticScopes = automatic
        granted = response.scope?.granted(for: requested) ?? requested
        self.requested = requested
        self.correlationID = correlationID
        self.origin = origin
        isFromGateway = true
    }
}
