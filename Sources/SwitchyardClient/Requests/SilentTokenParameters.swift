/// A request for tokens that does not ask the person anything.
public struct SilentTokenParameters: Sendable {
    /// Scopes of one API.
    public var scopes: [String]
    /// The account to get tokens for; nil always ends with `interactionRequired` / `accountRequired`.
    public var account: Account?
    /// Whether a valid token in the cache is passed over.
    public var forceRefresh = false
    /// Claims from a challenge. With them the cache is passed over as well.
    public var claims: ClaimsRequest?
    /// The request's name in the logs of Microsoft's issuers: a UUID. nil: a fresh one.
    public var correlationID: String?
    /// Another authority than the application's.
    public var authority: Authority?

    /// Whether ``scopes`` may be empty: then any token of the account is an answer.
    package var mayBeWithoutScopes = false

    /// For an account of ``PublicClientApplication/accounts()``, or nil before the first sign-in.
    public init(scopes: [String], account: Account?, forceRefresh: Bool = false, claims: ClaimsRequest? = nil) {
        self.scopes = scopes
        self.account = account
        self.forceRefresh = forceRefresh
        self.claims = claims
    }
}
