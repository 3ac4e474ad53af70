internal import SwitchyardOAuth

extension ClientCore {
    func acquireTokenSilent(
        _ parameters: SilentTokenParameters
    ) async throws(AuthenticationError) -> AuthenticationResult {
        let request = try SilentRequest(parameters, settings)
        do throws(AuthenticationError) {
            return try await answer(request)
        } catch {
            log.info("a silent request for \(person: request.account.username) ended with \(error.description)")
            var error = error
            error.homeAccountID = request.account.identifier
            error.username = request.account.username
            throw error
        }
    }

    private func answer(_ request: SilentRequest) async throws(AuthenticationError) -> AuthenticationResult {
        let document = try await cache.document()
        let account = try knownAccount(request, in: document)
        let configuration = settings.configuration
        let lookup = SilentLookup(
            request, in: document, account, clientID: settings.clientID,
            buffer: configuration.tokenExpirationBuffer.components.seconds,
            allowsExtended: configuration.isExtendedLifetimeEnabled, now: clock.now())
        switch lookup {
        case .token(let token): return result(token, account)
        case .refresh(let stillValid, let extended, let expired):
            if let expired { try await cache.update { $0.remove(expired) } }
            do throws(AuthenticationError) {
                return try await refreshed(request, account, document)
            } catch {
                // Whether the issuer itself is out of reach or something in between answers for it: the token is good.
                if let stillValid, error.isPassing || error.internalCode == .failedAuthorityValidation {
                    return result(stillValid, account)
                }
                if let extended, error.isServerDown { return result(extended, account, isExtended: true) }
                throw error
            }
        }
    }

    private func knownAccount(
        _ request: SilentRequest, in document: TokenCacheDocument
    ) throws(AuthenticationError) -> CachedAccount {
        guard let account = document.account(request.account.key) else {
            throw AuthenticationError(.interactionRequired, .noTokens, "the account is not in the cache")
        }
        guard !account.signedOutOf.contains(settings.clientID) else {
            throw AuthenticationError(.interactionRequired, .signedOut, "the account was signed out of this app")
        }
        guard request.authority.aliases.contains(account.key.environment) else {
            throw AuthenticationError(
                .interactionRequired, .differentCloud,
                "the account is of \(account.key.environment), and the authority is \(request.authority.url)")
        }
        return account
    }

    private func refreshed(
        _ request: SilentRequest, _ account: CachedAccount, _ document: TokenCacheDocument
    ) async throws(AuthenticationError) -> AuthenticationResult {
        let outdated = document.accessToken(
            for: account.key, at: request.tenant, clientID: settings.clientID, scopes: request.scopes)?.secret
        let key = RefreshQueue.Key(
            account: account.key, authority: request.authority,
            scopes: request.scopes.names.map { $0.lowercased() }.sorted(), claims: request.claims)
        return try await refreshes.run(key, on: runtime) { [self] () async throws(AuthenticationError) in
            try await TokenRefresh(core: self, request: request, account: account, outdated: outdated).run()
        }
    }
}

extension AuthenticationError {
    /// Whether it says nothing about the account: later it may work.
    var isPassing: Bool {
        switch code {
        case .network, .serverError, .temporarilyUnavailable, .throttled: true
        default: false
        }
    }

    /// Whether the issuer answered, and only that it cannot.
    var isServerDown: Bool { (httpStatus ?? 0) >= 500 || code == .temporarilyUnavailable }
}
