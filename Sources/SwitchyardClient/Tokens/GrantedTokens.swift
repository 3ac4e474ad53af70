internal import SwitchyardCrypto
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardRedemption
internal import SwitchyardText

/// Tokens that have been obtained and verified, in the shape of the cache.
struct GrantedTokens: Sendable {
    let account: CachedAccount
    let accessToken: CachedAccessToken
    /// The new refresh token; nil if the issuer sent no new one and the older one stays in use.
    let refreshToken: CachedRefreshToken?
    let declined: [String]
    let granted: [String]
    let correlationID: String?

    /// - Parameter known: the account that tokens were refreshed for; an issuer may then leave out the account.
    /// - Throws: `invalidResponse` when the account is unknown.
    init(
        _ grant: TokenGrant, authority: Authority, clientID: String, known: CachedAccount? = nil,
        now: UnixTime
    ) throws(AuthenticationError) {
        let members = grant.response.members
        let account = try Self.account(grant, authority, known)
        self.account = account
        // A token that nothing can renew is used until it is refused, where the issuer does not say when it ends.
        let isEndless = grant.identity != nil && grant.response.refreshToken == nil
        let lifetime = TokenLifetime(members, now: now, isEndless: isEndless)
        accessToken = CachedAccessToken(
            account: account.key, realm: grant.claims == nil ? authority.tenantID ?? account.realm : account.realm,
            authority: authority.url, clientID: clientID,
            scopes: grant.granted, defaults: Self.defaults(grant), secret: grant.response.accessToken, cachedAt: now,
            expiresOn: lifetime.expiresOn, extendedExpiresOn: lifetime.extendedExpiresOn,
            refreshOn: lifetime.refreshOn, tokenType: grant.response.ownType, bindingKey: grant.bindingKey)
        refreshToken = grant.response.refreshToken.map {
            CachedRefreshToken(
                account: account.key, clientID: clientID, familyID: members["foci"]?.string, secret: $0,
                origin: grant.origin, bindingKey: grant.bindingKey)
        }
        correlationID = grant.correlationID
        granted = grant.granted.names.filter { !grant.automaticScopes.contains($0) }
        declined = grant.requested.declined(grantedBy: grant.granted).names
    }

    /// `.default` asks for all granted scopes. A later request for it is answered from the cache, though no issuer says
    /// so.
    private static func defaults(_ grant: TokenGrant) -> Scopes {
        let names = grant.requested.names.filter { name in
            name.asciiLowercased.hasSuffix("/.default") && !grant.granted.contains(name)
        }
        return Scopes(parsing: names.joined(separator: " "))
    }

    /// The directory's own name for the account, which may be a guest there.
    private static func homeAccountID(_ claims: JSONObject) -> String? {
        guard let object = claims["oid"]?.string, let tenant = claims["tid"]?.string else { return nil }
        return "\(object).\(tenant)"
    }

    /// An account by the word of the provider's own API.
    private static func account(_ identity: AccountIdentity, _ authority: Authority) -> CachedAccount {
        CachedAccount(
            key: AccountKey(homeAccountID: identity.id, environment: authority.environment),
            homeAccountID: identity.id, username: identity.name, name: nil, realm: "", claims: IDTokenClaims([:]),
            idToken: nil, authority: authority.url)
    }

    private static func account(
        _ grant: TokenGrant, _ authority: Authority, _ known: CachedAccount?
    ) throws(AuthenticationError) -> CachedAccount {
        let members = grant.response.members
        let info = members["client_info"]?.string.flatMap(ClientInfo.init)
        guard let claims = grant.claims else {
            if let known { return known }
            if let identity = grant.identity { return Self.account(identity, authority) }
            throw AuthenticationError(
                .invalidResponse, .invalidResponse, "the issuer does not say who signed in (no id_token)")
        }
        let subject = claims["sub"]?.string.map { Array($0.utf8) }
        if info == nil, let known, known.claims["sub"].map({ Array($0.utf8) }) != subject {
            throw AuthenticationError(
                .invalidResponse, .mismatchedUser, "the issuer refreshed the tokens of somebody else")
        }
        let fromGateway = grant.isFromGateway && authority.requiresClientInfo ? Self.homeAccountID(claims) : nil
        guard let home = info?.homeAccountID ?? fromGateway ?? known?.homeAccountID ?? claims["sub"]?.string,
            !home.isEmpty
        else {
            throw AuthenticationError(
                .invalidResponse, .invalidResponse, "the issuer does not say who signed in (no sub)")
        }
        if authority.requiresClientInfo, info == nil, known == nil, fromGateway == nil {
            throw AuthenticationError(
                .invalidResponse, .invalidResponse, "client_info was asked for and is not in the token response")
        }
        return CachedAccount(
            key: AccountKey(homeAccountID: home, environment: authority.environment), homeAccountID: home,
            username: claims["preferred_username"]?.string ?? claims["upn"]?.string ?? claims["email"]?.string
                ?? known?.username,
            name: claims["name"]?.string ?? known?.name,
            realm: claims["tid"]?.string?.asciiLowercased ?? known?.realm ?? "",
            claims: IDTokenClaims(claims), idToken: grant.response.idToken.map { Secret($0) },
            authority: authority.url)
    }
}
