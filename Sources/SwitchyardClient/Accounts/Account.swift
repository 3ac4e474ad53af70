internal import SwitchyardJSON
internal import SwitchyardText

/// A person's account after a sign-in. A value: it does not change after it was made.
public struct Account: Sendable, Hashable, CustomStringConvertible {
    /// The identifier to keep when an app wants to find the account again. For Microsoft's issuers it is the home
    /// account id, `uid.utid`; for others the subject.
    public let identifier: String
    /// The host that stands for the issuer and its aliases.
    public let environment: String
    /// For the screen; nil when the issuer does not say. It may change: never compare people by it.
    public let username: String?
    /// The person's name, for the screen; nil when the issuer does not say.
    public let name: String?
    /// The directory of these tokens; nil for issuers without tenants.
    public let tenantID: String?
    /// The claims of the issuer's last ID token, verified when it came.
    public let claims: IDTokenClaims

    /// Answers ``accessToken(scopes:)``.
    let core: ClientCore?

    /// For tests of an app. It belongs to no application: ``accessToken(scopes:)`` and ``authorizedRequest(_:)`` throw
    /// `invalidParameter` / `accountRequired`.
    public init(
        identifier: String, environment: String, username: String? = nil, name: String? = nil,
        tenantID: String? = nil, claims: IDTokenClaims = IDTokenClaims(json: "{}")
    ) {
        self.init(
            identifier: identifier, environment: environment, username: username, name: name, tenantID: tenantID,
            claims: claims, core: nil)
    }

    init(
        identifier: String, environment: String, username: String?, name: String?, tenantID: String?,
        claims: IDTokenClaims, core: ClientCore?
    ) {
        self.identifier = identifier
        self.environment = environment
        self.username = username
        self.name = name
        self.tenantID = tenantID
        self.claims = claims
        self.core = core
    }

    /// Gets an access token for one API, from the cache or by the refresh token. Each set of scopes has its own token.
    /// - Parameter scopes: the scopes of one API.
    /// - Throws: `interactionRequired` if the person must sign in, and the errors of a refresh.
    public func accessToken(scopes: [String]) async throws(AuthenticationError) -> String {
        guard let core else {
            throw AuthenticationError(.invalidParameter, .accountRequired, "the account belongs to no application")
        }
        return try await core.acquireTokenSilent(SilentTokenParameters(scopes: scopes, account: self)).accessToken
    }

    public static func == (left: Account, right: Account) -> Bool {
        left.key == right.key
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(key)
    }

    /// Two accounts are one when this is equal.
    var key: AccountKey { AccountKey(homeAccountID: identifier, environment: environment) }

    /// A description without a person's name.
    public var description: String { "an account at \(environment)" }
}

/// The key that tells accounts apart.
struct AccountKey: Hashable, Sendable {
    let homeAccountID: String
    let environment: String

    /// Microsoft's issuers spell `uid.utid` in either case, and only they do: a subject is compared as it is (OpenID
    /// Connect Core section 2).
    init(homeAccountID: String, environment: String) {
        let tenant = homeAccountID.split(separator: ".", omittingEmptySubsequences: false).last.map(String.init) ?? ""
        self.homeAccountID = GUID(tenant) != nil ? homeAccountID.asciiLowercased : homeAccountID
        self.environment = environment
    }
}
