internal import SwitchyardCrypto
internal import SwitchyardOAuth

extension ClientCore {
    /// Saves the tokens of a sign-in, and checks that they are the requested ones.
    /// - Throws: `accessDenied` / `mismatchedUser` for another person than requested, `serverDeclinedScopes`; both have
    ///   the tokens.
    func accept(
        _ grant: TokenGrant, of request: InteractiveRequest
    ) async throws(AuthenticationError) -> AuthenticationResult {
        // The app has canceled, so the tokens are dropped without a trace.
        guard !Task.isCancelled else { throw .canceled }
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
    /// - Throws: `cacheFailed` with the tokens, when they cannot be kept.
    func accept(_ grant: TokenGrant, authority: Authority) async throws(AuthenticationError) -> AuthenticationResult {
        let tokens = try GrantedTokens(grant, authority: authority, clientID: settings.clientID, now: clock.now())
        let result = result(tokens)
        do throws(AuthenticationError) {
            try await save(tokens)
        } catch {
            var error = error
            error.result = result
            throw error
        }
        throttle.interactionSucceeded(for: tokens.account.key)
        log.info("\(person: tokens.account.username) signed in")
        guard tokens.declined.isEmpty else { throw Self.declined(tokens, result) }
        return result
    }

    func save(_ tokens: GrantedTokens) async throws(AuthenticationError) {
        let (clientID, now) = (settings.clientID, clock.now())
        let change: @Sendable (inout TokenCacheDocument) -> Void = { document in
            var account = tokens.account
            account.signedOutOf = document.account(account.key)?.signedOutOf ?? []
            document.dropExpired(at: now)
            document.save(account)
            document.signIn(account.key, to: clientID)
            document.save(tokens.accessToken)
            if let refreshToken = tokens.refreshToken { document.save(refreshToken) }
        }
        try await write(change)
    }

    /// Takes over all that the cache of another application of the same client holds, which is empty afterwards.
    /// - Returns: whether it is: not while its tokens are being refreshed.
    func takeOver(from other: ClientCore) async throws(AuthenticationError) -> Bool {
        let taken = try await other.cache.document()
        let now = clock.now()
        guard taken.leases.values.allSatisfy({ !$0.isInTime(at: now) }) else { return false }
        let (clientID, copy) = (settings.clientID, taken.serialized)
        if !taken.accounts.isEmpty {
            try await write { document in
                document.dropExpired(at: now)
                for var account in taken.accounts {
                    account.signedOutOf.formUnion(document.account(account.key)?.signedOutOf ?? [])
                    document.save(account)
                    document.signIn(account.key, to: clientID)
                    // A lease of the refresh that brought these tokens; its end could not be written.
                    if document.leases[account.key]?.isOfThisProcess == true { document.leases[account.key] = nil }
                }
                for token in taken.accessTokens { document.save(token) }
                for token in taken.refreshTokens { document.save(token) }
            }
        }
        return try await other.cache.update { document in
            // If the other cache has changed meanwhile, its content moves the next time.
            guard document.serialized == copy else { return false }
            document = TokenCacheDocument()
            return true
        }
    }

    private func write(
        _ change: @escaping @Sendable (inout TokenCacheDocument) -> Void
    ) async throws(AuthenticationError) {
        do throws(AuthenticationError) {
            try await cache.update(change)
        } catch {
            // The unreadable document has been set aside, so a second try can save the sign-in.
            guard error.internalCode == .cacheCorrupt else { throw error }
            log.error("the cache could not be read, and was set aside: \(error.description)")
            try await cache.update(change)
        }
    }

    /// The error if fewer scopes were granted than requested. The tokens are in the cache by then, so a silent request
    /// for the granted scopes succeeds.
    static func declined(_ tokens: GrantedTokens, _ result: AuthenticationResult?) -> AuthenticationError {
        var error = AuthenticationError(
            .serverDeclinedScopes, nil, "the issuer granted fewer scopes than were asked for")
        error.grantedScopes = tokens.granted
        error.declinedScopes = tokens.declined
        error.result = result
        return error
    }

    func result(_ tokens: GrantedTokens) -> AuthenticationResult {
        result(tokens.accessToken, tokens.account, correlationID: tokens.correlationID)
    }

    func result(
        _ token: CachedAccessToken, _ account: CachedAccount, isExtended: Bool = false,
        correlationID: String? = nil
    ) -> AuthenticationResult {
        var result = AuthenticationResult(
            accessToken: token.secret.exposedText,
            scopes: token.scopes.names.filter { !settings.automaticScopes.contains($0) }, expiresOn: token.expiresOn,
            account: Account(account, self), tenantID: token.realm.isEmpty ? nil : token.realm,
            idToken: account.realm == token.realm ? account.idToken?.exposedText : nil, correlationID: correlationID,
            isExtendedLifetimeToken: isExtended, tokenType: token.tokenType ?? "Bearer")
        result.bindingKey = token.bindingKey
        return result
    }
}

extension Account {
    init(_ cached: CachedAccount, _ core: ClientCore) {
        self.init(
            identifier: cached.homeAccountID, environment: cached.key.environment, username: cached.username,
            name: cached.name, tenantID: cached.realm.isEmpty ? nil : cached.realm, claims: cached.claims, core: core)
    }
}
