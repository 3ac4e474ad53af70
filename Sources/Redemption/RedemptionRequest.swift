public import SwitchyardCrypto
public import SwitchyardOAuth

/// A grant to exchange for tokens, and what the tokens are held against.
public struct RedemptionRequest: Sendable {
    /// What is given in exchange (RFC 6749 section 1.3).
    public enum Grant: Sendable {
        /// - Parameters:
        ///   - redirectURI: as it stood in the authorization request.
        ///   - verifier: the PKCE code verifier (RFC 7636).
        case code(Secret, redirectURI: String, verifier: Secret)
        /// RFC 6749 section 6.
        case refreshToken(Secret)
        /// One that an issuer has of its own: the value of `grant_type` and the fields that belong to it.
        case other(type: String, fields: [(name: String, value: Secret)])
    }

    public var issuer: Issuer
    public var clientID: String
    public var authentication: ClientAuthentication
    public var grant: Grant
    public var requestedScopes: Scopes
    /// nil when the authorization request had none.
    public var nonce: String?
    /// The tenants whose users are let in, where the issuer is a template.
    public var tenants: TenantRule
    /// Further header fields of the token request.
    public var headers: [FormField] = []
    /// Further fields of the token request, after the others.
    public var parameters: [FormField]

    /// A code to redeem.
    public init(
        issuer: Issuer, clientID: String, authentication: ClientAuthentication = .none, redirectURI: String,
        code: Secret, verifier: Secret, requestedScopes: Scopes, nonce: String?, tenants: TenantRule = [],
        parameters: [FormField] = []
    ) {
        self.init(
            issuer: issuer, clientID: clientID, authentication: authentication,
            grant: .code(code, redirectURI: redirectURI, verifier: verifier), requestedScopes: requestedScopes,
            nonce: nonce, tenants: tenants, parameters: parameters)
    }

    public init(
        issuer: Issuer, clientID: String, authentication: ClientAuthentication = .none, grant: Grant,
        requestedScopes: Scopes, nonce: String? = nil, tenants: TenantRule = [], parameters: [FormField] = []
    ) {
        self.issuer = issuer
        self.clientID = clientID
        self.authentication = authentication
        self.grant = grant
        self.requestedScopes = requestedScopes
        self.nonce = nonce
        self.tenants = tenants
        self.parameters = parameters
    }

    /// The code, for the hash in the ID token.
    var code: Secret? {
        if case .code(let code, _, _) = grant { code } else { nil }
    }

    /// Whether tokens without an ID token are a mistake. A refresh may leave it out (OpenID Connect Core section 12.2).
    var requiresIDToken: Bool {
        if case .refreshToken = grant { return false }
        return requestedScopes.contains("openid")
    }
}
