internal import Crypto
internal import OAuth

extension ClientCore {
    /// Keeps the tokens of a sign-in, and judges whether they are what was asked for.
    /// - Throws: `accessDenied` / `mismatchedUser` for somebody else than was asked for, `serverDeclinedScopes`; both have
    ///   the tokens.
    func accept(
        _ grant: TokenGrant, of request: InteractiveRequest
    ) async throws(AuthenticationError) -> AuthenticationResult {
        let result: AuthenticationResult
        var declined: AuthenticationError?
        do throws(AuthenticationError) {
            result = try await accept(grant, authority: grant.authority ?? request.authority)
        } catch {
            guard let kept = error.result else { throw error }
            (result, declined) = (kept, error)
        }
        if let wanted = request.account, wanted.key != result.account.key {
            var error = AuthenticationError(
                .accessDenied, .mismatchedUser, "another account signed in than the one that was asked for")
            error.result = result
            throw error
        }
        if let declined { throw declined }
        return result
    }

    /// Keeps tokens that were obtained with the person's help.
    func accept(_ grant: TokenGrant, authority: Authority) async throws(AuthenticationError) -> AuthenticationResult {
        let tokens = try GrantedTokens(grant, authority: authority, clientID: settings.clientID, now: clock.now())
        try await save(tokens)
        throttle.interactionSucceeded(for: tokens.account.key)
        let result = result(tokens)
        log.info("\(person: tokens.account.username) signed in")
        try Self.checkScopes(tokens, result)
        return result
    }

    func save(_ tokens: GrantedTokens) async throws(AuthenticationError) {
        let clientID = settings.clientID
        let now = clock.now()
        try await cache.update { document in
            var account = tokens.account
            account.signedOutOf = document.account(account.key)?.signedOutOf ?? []
            account.signedOutOf.remove(clientID)
            document.dropExpired(at: now)
            document.save(account)
            document.save(tokens.accessToken)
            if let refreshToken = tokens.refreshToken { document.save(refreshToken) }
        }
    }

    /// - Throws: `serverDeclinedScopes` when fewer were granted than asked for. The tokens are in the cache by then, so
    ///   that a silent request for the granted ones succeeds.
    static func checkScopes(_ tokens: GrantedTokens, _ result: AuthenticationResult) throws(AuthenticationError) {
        guard !tokens.declined.isEmpty else { return }
        var error = AuthenticationError(
            .serverDeclinedScopes, nil, "the issuer granted fewer scopes than were asked for")
        error.grantedScopes = tokens.granted
        error.declinedScopes = tokens.declined
        error.result = result
        throw error
    }

    func result(_ tokens: GrantedTokens) -> AuthenticationResult {
        result(tokens.accessToken, tokens.account, correlationID: tokens.correlationID)
    }

    func result(
        _ token: CachedAccessToken, _ account: CachedAccount, isExtended: Bool = false,
        correlationID: String? = nil
    ) -> AuthenticationResult {
        AuthenticationResult(
            accessToken: token.secret.exposedText,
            scopes: token.scopes.names.filter { !ScopeRules.automatic.contains($0) }, expiresOn: token.expiresOn,
            isExtendedLifetimeToken: isExtended, account: Account(account, self),
            idToken: account.idToken?.exposedText, correlationID: correlationID)
    }
}

extension Account {
    init(_ cached: CachedAccount, _ core: ClientCore) {
        self.init(
            identifier: cached.homeAccountID, environment: cached.key.environment, username: cached.username,
            name: cached.name, tenantID: cached.realm.isEmpty ? nil : cached.realm, claims: cached.claims, core: core)
    }
}
