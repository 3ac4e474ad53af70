public import Crypto
public import OAuth

/// A code to exchange for tokens, and what the tokens are held against.
public struct RedemptionRequest: Sendable {
    public var issuer: Issuer
    public var clientID: String
    public var authentication: ClientAuthentication
    /// As it stood in the authorization request.
    public var redirectURI: String
    public var code: Secret
    /// The PKCE code verifier (RFC 7636).
    public var verifier: Secret
    public var requestedScopes: Scopes
    /// nil when the authorization request had none.
    public var nonce: String?
    /// The tenants whose users are let in, where the issuer is a template.
    public var tenants: [String]

    public init(
        issuer: Issuer, clientID: String, authentication: ClientAuthentication = .none, redirectURI: String,
        code: Secret, verifier: Secret, requestedScopes: Scopes, nonce: String?, tenants: [String] = []
    ) {
        self.issuer = issuer
        self.clientID = clientID
        self.authentication = authentication
        self.redirectURI = redirectURI
        self.code = code
        self.verifier = verifier
        self.requestedScopes = requestedScopes
        self.nonce = nonce
        self.tenants = tenants
    }
}
