internal import SwitchyardCrypto
internal import SwitchyardOAuth
internal import SwitchyardReactor
internal import SwitchyardRedemption

/// Exchanges a refresh token for new tokens: the app's own, then the family's. On the network loop.
struct TokenRefresh: Sendable {
    let core: ClientCore
    let request: SilentRequest
    let account: CachedAccount
    /// The access token that the cache had when this was asked for: the same one is no answer.
    let outdated: Secret?

    private var clientID: String { core.settings.clientID }

    private static let pollInterval = Duration.milliseconds(50)

    func run() async throws(AuthenticationError) -> AuthenticationResult {
        let (key, owner) = (account.key, RefreshLease.newOwner())
        let length = RefreshLease.length(issuerTimeout: core.settings.configuration.issuerTimeout)
        // What takes no refresh token is done before the turn is taken.
        _ = try await core.metadata(of: core.issuers.issuer(for: request.authority))
        var hasWaited = false
        while true {
            let until = core.clock.now().advanced(bySeconds: length)
            let now = core.clock.now()
            if try await core.cache.update({ $0.takeLease(of: key, for: owner, at: now, until: until) }) { break }
            if !hasWaited { core.log.info("another process refreshes tokens of the account; waiting for it") }
            hasWaited = true
            await EventLoop.sleep(until: .now() + Self.pollInterval)
        }
        let outcome: Result<AuthenticationResult, AuthenticationError>
        do throws(AuthenticationError) {
            if let result = try await refreshedMeanwhile() {
                outcome = .success(result)
            } else {
                outcome = .success(try await exchangeAny())
            }
        } catch {
            outcome = .failure(error)
        }
        // It ends by itself as well: what was obtained counts more.
        _ = try? await core.cache.update { $0.endLease(of: key, for: owner) }
        return try outcome.get()
    }

    /// What another process got for the same request while this one waited its turn.
    private func refreshedMeanwhile() async throws(AuthenticationError) -> AuthenticationResult? {
        guard !request.asksForClaims else { return nil }
        let document = try await core.cache.document()
        let found = document.accessToken(
            for: account.key, at: request.tenant, clientID: clientID, scopes: request.scopes)
        let buffer = core.settings.configuration.tokenExpirationBuffer.components.seconds
        guard let token = found, token.secret != outdated, token.isValid(at: core.clock.now(), buffer: buffer),
            let account = document.account(account.key)
        else { return nil }
        return core.result(token, account)
    }

    private func exchangeAny() async throws(AuthenticationError) -> AuthenticationResult {
        var tried: Set<Secret> = []
        var failure = AuthenticationError(.interactionRequired, .noTokens, "no refresh token fits the request")
        while let token = try await nextToken(tried) {
            tried.insert(token.secret)
            let keys = ThrottleKeys(request, clientID: clientID, refreshToken: token.secret)
            do throws(AuthenticationError) {
                try core.throttle.check(keys, at: core.clock.now())
                return try await exchange(token)
            } catch {
                if !error.isFromThrottling {
                    core.throttle.note(error.forSilentRequest, keys, account: account.key, at: core.clock.now())
                    try await learn(from: error, about: token)
                }
                guard error.oauthError != nil, !error.isPassing else { throw error.forSilentRequest }
                failure = error.forSilentRequest
            }
        }
        throw failure
    }

    private func nextToken(_ tried: Set<Secret>) async throws(AuthenticationError) -> CachedRefreshToken? {
        let document = try await core.cache.document()
        let own = document.refreshToken(for: account.key, clientID: clientID)
        let family = document.familyRefreshToken(for: account.key, clientID: clientID)
        return [own, family].compactMap { $0 }.first { !tried.contains($0.secret) }
    }

    private func exchange(_ token: CachedRefreshToken) async throws(AuthenticationError) -> AuthenticationResult {
        let sent = ScopeRules.sent(request.scopes)
        let grant = try await core.redeem(
            RedemptionRequest(
                .refreshToken(token.secret),
                expecting: TokenExpectations(
                    issuer: core.issuers.issuer(for: request.authority), clientID: clientID, requestedScopes: sent,
                    tenants: request.authority.tenants),
                parameters: request.tokenParameters),
            granting: request.scopes, request.correlationID)
        let tokens = try GrantedTokens(
            grant, authority: request.authority, clientID: clientID, known: account, now: core.clock.now())
        guard tokens.account.key == account.key else {
            throw AuthenticationError(
                .invalidResponse, .mismatchedUser, "the issuer refreshed the tokens of somebody else")
        }
        guard try await core.saveRefreshed(tokens, for: token) else {
            throw AuthenticationError(.interactionRequired, .signedOut, "the account was signed out meanwhile")
        }
        core.log.info("tokens of \(person: account.username) were refreshed")
        let result = core.result(tokens)
        try ClientCore.checkScopes(tokens, result)
        return result
    }

    /// What a refusal says about the token itself, or about whom it is for.
    private func learn(
        from error: AuthenticationError, about token: CachedRefreshToken
    ) async throws(AuthenticationError) {
        let key = account.key
        let clientID = clientID
        switch (error.oauthError?.lowercased(), error.oauthSuberror?.lowercased()) {
        case ("invalid_grant", "bad_token"): try await core.cache.update { $0.remove(token) }
        case ("invalid_grant", "user_account_deleted"): try await core.cache.update { $0.removeEverything(of: key) }
        case (_, "client_mismatch") where token.clientID != clientID:
            try await core.cache.update { $0.families[clientID] = "" }
        default: break
        }
    }
}

extension AuthenticationError {
    /// What a failure means where nobody is asked: most words of an issuer mean that somebody has to be.
    var forSilentRequest: AuthenticationError {
        guard oauthError != nil, !isPassing else { return self }
        switch code {
        case .invalidScope, .invalidClient, .serverProtectionPoliciesRequired, .insufficientDeviceStrength,
            .passwordResetRequired, .interactionRequired, .serverDeclinedScopes:
            return self
        default:
            var error = self
            error.code = .interactionRequired
            error.underlyingError = self
            return error
        }
    }
}
