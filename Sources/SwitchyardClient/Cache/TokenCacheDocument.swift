internal import SwitchyardOAuth

/// Everything that is in the cache. A value: look-ups and changes, no I/O and no clock.
struct TokenCacheDocument: Sendable {
    var accounts: [CachedAccount] = []
    /// The newest last.
    var accessTokens: [CachedAccessToken] = []
    var refreshTokens: [CachedRefreshToken] = []
    /// The family of each known client ID; empty for one without a family.
    var families: [String: String] = [:]

    /// The processes that refresh tokens of an account at present.
    var leases: [AccountKey: RefreshLease] = [:]

    // MARK: Looking up

    func account(_ key: AccountKey) -> CachedAccount? {
        accounts.first { $0.key == key }
    }

    /// The newest access token that has all wanted scopes.
    func accessToken(
        for account: AccountKey, at tenant: TokenTenant, clientID: String, scopes: Scopes
    ) -> CachedAccessToken? {
        accessTokens.last { token in
            token.account == account && token.clientID == clientID
                && tenant.holds(token)
                && token.answers(scopes)
        }
    }

    /// The refresh token of the client itself.
    func refreshToken(for account: AccountKey, clientID: String) -> CachedRefreshToken? {
        refreshTokens.first { $0.account == account && $0.clientID == clientID && $0.familyID == nil }
            ?? refreshTokens.first { $0.account == account && $0.clientID == clientID }
    }

    /// A refresh token of the client's family; nil when the client is known to be in no family.
    func familyRefreshToken(for account: AccountKey, clientID: String) -> CachedRefreshToken? {
        if families[clientID] == "" { return nil }
        let family = families[clientID] ?? "1"
        return refreshTokens.first { $0.account == account && $0.familyID == family }
    }

    // MARK: Changing

    /// Saves an account. Its data from the home directory stay when tokens of another directory come.
    mutating func save(_ account: CachedAccount) {
        if let old = self.account(account.key), old.realm != account.realm, old.isAtHome { return }
        accounts.removeAll { $0.key == account.key }
        accounts.append(account)
    }

    mutating func signIn(_ account: AccountKey, to clientID: String) {
        guard let index = accounts.firstIndex(where: { $0.key == account }) else { return }
        accounts[index].signedOutOf.remove(clientID)
    }

    /// A newer token takes the place of those that it makes superfluous: of the same account, tenant and client, with
    /// no scope that it has not.
    mutating func save(_ token: CachedAccessToken) {
        accessTokens.removeAll { old in
            old.account == token.account && old.realm == token.realm && old.authority == token.authority
                && old.clientID == token.clientID
                && token.answers(old.scopes) && token.answers(old.defaults)
        }
        accessTokens.append(token)
    }

    mutating func save(_ token: CachedRefreshToken) {
        refreshTokens.removeAll { old in
            guard old.account == token.account else { return false }
            return old.clientID == token.clientID || old.familyID != nil && old.familyID == token.familyID
        }
        refreshTokens.append(token)
        families[token.clientID] = token.familyID ?? families[token.clientID]
    }

    mutating func remove(_ token: CachedAccessToken) {
        accessTokens.removeAll { $0.target == token.target && $0.secret == token.secret }
    }

    mutating func remove(_ token: CachedRefreshToken) {
        refreshTokens.removeAll { $0.account == token.account && $0.secret == token.secret }
    }

    mutating func removeEverything(of account: AccountKey) {
        accounts.removeAll { $0.key == account }
        accessTokens.removeAll { $0.account == account }
        refreshTokens.removeAll { $0.account == account }
        leases[account] = nil
    }

    /// Takes from an account what belongs to one client ID, and remembers that it was signed out. A refresh token of a
    /// family stays: it is the other apps' as well.
    mutating func signOut(_ account: AccountKey, of clientID: String) {
        accessTokens.removeAll { $0.account == account && $0.clientID == clientID }
        refreshTokens.removeAll { $0.account == account && $0.clientID == clientID && $0.familyID == nil }
        guard let index = accounts.firstIndex(where: { $0.key == account }) else { return }
        accounts[index].signedOutOf.insert(clientID)
    }

    /// Drops expired access tokens, except those that may serve for longer.
    mutating func dropExpired(at now: UnixTime) {
        accessTokens.removeAll { $0.isUseless(at: now) }
    }
}
