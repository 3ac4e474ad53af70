internal import SwitchyardCrypto
internal import SwitchyardOAuth
internal import SwitchyardText

/// An access token in the cache.
struct CachedAccessToken: Sendable {
    /// The request that a token answers; a newer token of the same target takes its place.
    struct Target: Hashable, Sendable {
        let account: AccountKey
        /// The tenant; empty for issuers without tenants.
        let realm: String
        let clientID: String
        /// Lower-cased and sorted.
        let scopes: [String]

        init(account: AccountKey, realm: String, clientID: String, scopes: Scopes) {
            self.account = account
            self.realm = realm.asciiLowercased
            self.clientID = clientID
            self.scopes = scopes.names.map(\.asciiLowercased).sorted()
        }
    }

    let account: AccountKey
    let realm: String
    /// The authority that it was asked of, for tenants and policies that are known by name only.
    let authority: String
    let clientID: String
    /// The scopes that the issuer granted, in its spelling.
    let scopes: Scopes
    /// The `{resource}/.default` scopes that were requested. The token answers these as well.
    var defaults = Scopes(parsing: "")
    let secret: Secret
    let cachedAt: UnixTime
    let expiresOn: UnixTime
    /// Until when it may serve if the issuer is down; nil when the issuer does not allow that.
    let extendedExpiresOn: UnixTime?
    /// From when the issuer would like it to be refreshed; nil when it does not say.
    let refreshOn: UnixTime?
    /// As the issuer named it; nil for Bearer.
    var tokenType: String?
    /// The private key that it is bound to, as a JWK; nil for a bearer token.
    var bindingKey: Secret?

    var target: Target { Target(account: account, realm: realm, clientID: clientID, scopes: scopes) }

    /// Whether it does for a request for `wanted`.
    func answers(_ wanted: Scopes) -> Bool {
        wanted.names.allSatisfy { scopes.contains($0) || defaults.contains($0) }
    }
}

/// A refresh token in the cache: of one client ID, or of a family of them.
struct CachedRefreshToken: Sendable {
    let account: AccountKey
    let clientID: String
    let familyID: String?
    let secret: Secret
    /// The origin of the token endpoint that issued the refresh token, the only one that it is sent to. nil in a cache that an
    /// earlier version wrote without it: such a token is sent nowhere, and the person signs in again.
    var origin: String?
    /// The private key that it is bound to, as a JWK; nil for a bearer token.
    var bindingKey: Secret?
}

/// The cached data of one account.
struct CachedAccount: Sendable {
    let key: AccountKey
    /// The ID in the issuer's spelling.
    let homeAccountID: String
    var username: String?
    var name: String?
    /// The tenant that the claims are of; empty for issuers without tenants.
    var realm: String
    var claims: IDTokenClaims
    /// The ID token that the claims are from.
    var idToken: Secret?
    /// The authority that signed it in, for silent requests later.
    var authority: String
    /// The client IDs that have signed this account out.
    var signedOutOf: Set<String> = []

    /// Whether the claims are of the directory that the account belongs to.
    var isAtHome: Bool { !realm.isEmpty && key.homeAccountID.hasSuffix("." + realm) }
}

/// Which tenant's tokens will do.
enum TokenTenant: Sendable, Hashable {
    /// The issuer has no tenants.
    case none
    /// By its GUID, lower-cased.
    case id(String)
    /// Known by a name or a policy only: what was asked of the same authority.
    case authority(String)

    func holds(_ token: CachedAccessToken) -> Bool {
        switch self {
        case .none: true
        case .id(let id): token.realm == id
        case .authority(let url): token.authority == url
        }
    }
}
