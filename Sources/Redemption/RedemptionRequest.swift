public import SwitchyardCrypto
public import SwitchyardOAuth

/// The expectations that new tokens must meet.
public struct TokenExpectations: Sendable {
    public var issuer: Issuer
    public var clientID: String
    public var requestedScopes: Scopes
    /// nil if the authorization request had no nonce.
    public var nonce: String?
    /// The tenants that are let in, if the issuer is a template.
    public var tenants: TenantRule
    /// Whether the ID token may be missing although `openid` was asked for, as after a refresh (OpenID Connect Core section
    /// 12.2).
    public var mayOmitIDToken: Bool
    /// The demands of the authorization request on the authentication, which the ID token must satisfy.
    public var stepUp = StepUp.none
    /// When the callback came, at the earliest and at the latest, in seconds since 1970; nil for now.
    public var arrival: ClosedRange<Int64>?
    /// nil for a client whose tokens are only signed.
    public var decryption: TokenDecryption?

    public init(
        issuer: Issuer, clientID: String, requestedScopes: Scopes, nonce: String? = nil, tenants: TenantRule = [],
        mayOmitIDToken: Bool = false
    ) {
        self.issuer = issuer
        self.clientID = clientID
        self.requestedScopes = requestedScopes
        self.nonce = nonce
        self.tenants = tenants
        self.mayOmitIDToken = mayOmitIDToken
    }

    var requiresIDToken: Bool {
        !mayOmitIDToken && !issuer.settings.profile.deviations.hasNoIDTokens && requestedScopes.contains("openid")
    }
}

/// A grant to exchange for tokens, and the expectations that they must meet.
public struct RedemptionRequest: Sendable {
    /// The authorization grant to exchange (RFC 6749 section 1.3).
    public enum Grant: Sendable {
        /// - Parameters:
        ///   - redirectURI: as it stood in the authorization request.
        ///   - verifier: the PKCE code verifier (RFC 7636).
        case code(Secret, redirectURI: String, verifier: Secret)
        /// RFC 6749 section 6.
        case refreshToken(Secret)
        /// An issuer's own grant: the value of `grant_type` and its fields.
        case other(type: String, fields: [(name: String, value: Secret)])

        public var isRefresh: Bool { if case .refreshToken = self { true } else { false } }
    }

    public var expectations: TokenExpectations
    public var grant: Grant
    /// The origin of the token endpoint that a refresh token belongs to: the token is never sent to another one. nil
    /// for any.
    public var origin: String?
    public var authentication: ClientAuthentication
    /// Further header fields of the token request.
    public var headers: [FormField] = []
    /// Further fields of the token request, after the others.
    public var parameters: [FormField]
    /// How it proves the key to which the tokens are bound; nil for bearer tokens.
    public var binding: TokenBinding?
    /// Whether the claims of the userinfo endpoint are wanted too.
    public var wantsUserInfo = false

    public init(
        _ grant: Grant, expecting expectations: TokenExpectations, authentication: ClientAuthentication = .none,
        parameters: [FormField] = []
    ) {
        self.grant = grant
        self.expectations = expectations
        self.authentication = authentication
        self.parameters = parameters
        if case .refreshToken = grant { self.expectations.mayOmitIDToken = true }
    }

    /// Whether an ID token may come that a key of the issuer's verifies. Some issuers send one with each refresh, and if
    /// its answer cannot be verified, a rotated refresh token is lost.
    func needsKeys(_ metadata: IssuerMetadata) -> Bool {
        let deviations = expectations.issuer.settings.profile.deviations
        guard !deviations.hasNoIDTokens, deviations.allowsKeySignedIDTokens else { return false }
        return expectations.requestedScopes.contains("openid") || grant.isRefresh && metadata.jwksURI != nil
    }

    /// The code, for the hash in the ID token.
    var code: Secret? {
        if case .code(let code, _, _) = grant { code } else { nil }
    }
}

/// A token to be taken out of use (RFC 7009 section 2.1).
public struct RevocationRequest: Sendable {
    public var issuer: Issuer
    public var clientID: String
    public var authentication: ClientAuthentication
    public var token: Secret
    /// `refresh_token` or `access_token`: helps the issuer to find it, and no more.
    public var tokenTypeHint: String?
    /// How it proves the key to which the token is bound; nil for a bearer token.
    public var binding: TokenBinding?
    /// Further header fields.
    public var headers: [FormField] = []

    public init(
        _ token: Secret, of clientID: String, at issuer: Issuer, authentication: ClientAuthentication,
        tokenTypeHint: String? = nil
    ) {
        self.token = token
        self.clientID = clientID
        self.issuer = issuer
        self.authentication = authentication
        self.tokenTypeHint = tokenTypeHint
    }
}
