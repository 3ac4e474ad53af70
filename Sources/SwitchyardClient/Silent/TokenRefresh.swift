internal import SwitchyardCrypto
internal import SwitchyardJOSE
internal import SwitchyardOAuth
internal import SwitchyardReactor
internal import SwitchyardRedemption
internal import SwitchyardText

/// Answers a silent request with one trip to the storage where a good token is there, and otherwise with two: the first
/// takes the lease to refresh the account's tokens, the last gives it back with the new ones. On the network loop.
struct TokenRefresh: Sendable {
    let core: ClientCore
    let request: SilentRequest
    let lookup: SilentLookup
    /// In seconds, for how long this caller has the lease, and waits for another's.
    private let leaseSeconds: Int64
    var patience: RefreshWait

    init(core: ClientCore, request: SilentRequest, lookup: SilentLookup) {
        self.core = core
        self.request = request
        self.lookup = lookup
        leaseSeconds = RefreshLease.length(issuerTimeout: core.settings.configuration.issuerTimeout)
        patience = RefreshWait(seconds: leaseSeconds)
    }

    /// An exchange of the account's refresh tokens, by the owner of their lease.
    private struct Plan: Sendable {
        let account: CachedAccount
        let remainder: SilentLookup.Remainder
        /// The tokens to exchange, in this order.
        let refreshTokens: [CachedRefreshToken]
        /// The error if all of them fail.
        let failure: AuthenticationError
    }

    private enum Step: Sendable {
        case answered(CachedAccessToken, CachedAccount)
        case mine(Plan)
        /// Others refresh tokens of this account.
        case others(CachedAccount, SilentLookup.Remainder)
        case refused(AuthenticationError)
    }

    func run() async throws(AuthenticationError) -> AuthenticationResult {
        let owner = RefreshLease.newOwner()
        LivingOwners.insert(owner)
        defer { LivingOwners.remove(owner) }
        var wait = SilentLookup.Wait.notYet
        var patience = patience
        while true {
            let last = wait
            switch try await core.cache.update({ step(in: &$0, for: owner, after: last) }) {
            case .answered(let token, let account): return core.result(token, account)
            case .refused(let failure): throw failure
            case .mine(let plan): return try await refresh(plan, owner)
            case .others(let account, let remainder):
                if case .notYet = wait {
                    core.log.info("another process refreshes tokens of the account; waiting for it")
                    wait = .since(outdated: remainder.outdated)
                }
                guard await patience.wait() else {
                    guard let token = remainder.stillValid else { throw Self.tooLong }
                    return core.result(token, account)
                }
            }
        }
    }

    private static var tooLong: AuthenticationError {
        var error = AuthenticationError(.temporarilyUnavailable, nil, RefreshWait.tooLong)
        error.retryAfter = RefreshWait.retryAfter
        return error
    }

    // MARK: The first trip

    /// Looks, and takes the lease if that is not enough.
    private func step(in document: inout TokenCacheDocument, for owner: String, after wait: SilentLookup.Wait) -> Step {
        let now = core.clock.now()
        do throws(AuthenticationError) {
            switch try lookup.finding(in: document, at: now, after: wait) {
            case .token(let token, let account): return .answered(token, account)
            case .refresh(let account, let remainder):
                dropRefusedToken(remainder, of: account, in: &document)
                let plan = try plan(account, remainder, in: document, at: now)
                guard document.takeLease(of: account.key, for: owner, at: now, seconds: leaseSeconds) else {
                    return .others(account, remainder)
                }
                if let expired = remainder.expired { document.remove(expired) }
                return .mine(plan)
            }
        } catch {
            return .refused(error)
        }
    }

    /// Removes the token that a caller wants replaced, if there is no refresh token to replace it with. An API refused
    /// this token, so it must not be given out again.
    private func dropRefusedToken(
        _ remainder: SilentLookup.Remainder, of account: CachedAccount, in document: inout TokenCacheDocument
    ) {
        guard request.forcesRefresh, !lookup.needsIDToken, lookup.refreshTokens(in: document, of: account.key).isEmpty,
            let token = document.accessToken(
                for: account.key, at: request.tenant, clientID: lookup.clientID, scopes: request.scopes),
            token.secret == remainder.outdated
        else { return }
        document.remove(token)
    }

    /// - Throws: an error that is certain without asking the issuer.
    private func plan(
        _ account: CachedAccount, _ remainder: SilentLookup.Remainder, in document: TokenCacheDocument,
        at now: UnixTime
    ) throws(AuthenticationError) -> Plan {
        var failure = AuthenticationError(.interactionRequired, .noTokens, "no refresh token fits the request")
        var tokens: [CachedRefreshToken] = []
        for token in lookup.refreshTokens(in: document, of: account.key) {
            do throws(AuthenticationError) {
                try core.throttle.check(keys(token.secret), at: now)
                tokens.append(token)
            } catch {
                guard error.isAboutTheToken || !tokens.isEmpty else {
                    throw withTokens(error, account, in: document)
                }
                failure = error
            }
        }
        guard !tokens.isEmpty else { throw failure }
        return Plan(account: account, remainder: remainder, refreshTokens: tokens, failure: failure)
    }

    /// Adds the tokens of the last grant from the cache to a `serverDeclinedScopes` failure.
    private func withTokens(
        _ failure: AuthenticationError, _ account: CachedAccount, in document: TokenCacheDocument
    ) -> AuthenticationError {
        guard failure.code == .serverDeclinedScopes else { return failure }
        var failure = failure
        failure.result = document.accessToken(
            for: account.key, at: request.tenant, clientID: lookup.clientID,
            scopes: Scopes(parsing: failure.grantedScopes.joined(separator: " "))
        ).map { core.result($0, account) }
        return failure
    }

    private func keys(_ refreshToken: Secret) -> ThrottleKeys {
        ThrottleKeys(request, clientID: lookup.clientID, refreshToken: refreshToken)
    }

    // MARK: The exchange

    /// A change to the cache that follows from an exchange.
    private enum Lesson: Sendable {
        case useless(CachedRefreshToken)
        case accountIsGone
        case notOfTheFamily

        func apply(to document: inout TokenCacheDocument, of account: AccountKey, clientID: String) {
            switch self {
            case .useless(let token): document.remove(token)
            case .accountIsGone: document.removeEverything(of: account)
            case .notOfTheFamily: document.families[clientID] = ""
            }
        }
    }

    private func refresh(_ plan: Plan, _ owner: String) async throws(AuthenticationError) -> AuthenticationResult {
        var lessons: [Lesson] = []
        let tokens: GrantedTokens
        do throws(AuthenticationError) {
            let metadata = try await core.metadata(of: core.issuer(for: request.authority))
            let endpoint = core.settings.profile.refreshEndpoint(
                metadata, for: core.settings.configuration.clientAuthentication)
            tokens = try await exchangeAny(plan, at: endpoint.origin, &lessons)
        } catch {
            let (key, clientID, learned) = (plan.account.key, lookup.clientID, lessons)
            // The lease ends by itself as well: why there are no tokens counts more.
            do throws(AuthenticationError) {
                try await core.cache.update { document in
                    for lesson in learned { lesson.apply(to: &document, of: key, clientID: clientID) }
                    document.endLease(of: key, for: owner)
                }
            } catch {
                core.log.warning("the cache cannot be told what the issuer refused; others wait for this turn's end")
            }
            return try served(plan.remainder, plan.account, insteadOf: error)
        }
        return try await keep(tokens, lessons, owner)
    }

    /// - Parameter origin: the origin of the token endpoint. A token of another or an unknown origin is never sent to
    ///   it, even if the configuration or an issuer's metadata now names it.
    private func exchangeAny(
        _ plan: Plan, at origin: String, _ lessons: inout [Lesson]
    ) async throws(AuthenticationError) -> GrantedTokens {
        let tokens = plan.refreshTokens.filter { $0.origin == origin }
        var failure = tokens.isEmpty ? Self.foreignOrigin : plan.failure
        for token in tokens {
            do throws(AuthenticationError) {
                return try await exchange(token, plan.account)
            } catch {
                core.throttle.note(
                    error.forSilentRequest, keys(token.secret), account: plan.account.key, at: core.clock.now())
                if let lesson = lesson(of: error, about: token) { lessons.append(lesson) }
                guard error.isAboutTheToken else { throw error.forSilentRequest }
                failure = error.forSilentRequest
            }
        }
        throw failure
    }

    private static let foreignOrigin = AuthenticationError(
        .interactionRequired, .noTokens,
        "the refresh token is of another token endpoint than the issuer's of now, or the cache does not say of which")

    private func exchange(
        _ token: CachedRefreshToken, _ account: CachedAccount
    ) async throws(AuthenticationError) -> GrantedTokens {
        let grant = try await grant(for: token)
        let tokens = try GrantedTokens(
            grant, authority: request.authority, clientID: lookup.clientID, known: account, now: core.clock.now())
        guard tokens.account.key == account.key else {
            throw AuthenticationError(
                .invalidResponse, .mismatchedUser, "the issuer refreshed the tokens of somebody else")
        }
        if !tokens.declined.isEmpty {
            // It grants no more to its token until the person signs in.
            core.throttle.note(
                ClientCore.declined(tokens, nil), keys(tokens.refreshToken?.secret ?? token.secret),
                account: account.key, at: core.clock.now())
        }
        return tokens
    }

    private func grant(for token: CachedRefreshToken) async throws(AuthenticationError) -> TokenGrant {
        if let gateway = core.settings.gateway, gateway.configuration.refresh == .byGateway {
            return try await GatewayRefresh(core: core, gateway: gateway, request: request)
                .grant(for: token)
        }
        var redemption = RedemptionRequest(
            .refreshToken(token.secret),
            expecting: TokenExpectations(
                issuer: core.issuer(for: request.authority), clientID: lookup.clientID,
                requestedScopes: ScopeRules.sent(request.scopes, core.settings), tenants: request.authority.tenants),
            authentication: try await core.authentication(), parameters: request.tokenParameters)
        redemption.origin = token.origin
        redemption.expectations.decryption = core.settings.configuration.decryption
        redemption.binding = try token.privateKey().map { .key($0) }
        return try await core.redeem(redemption, granting: request.scopes, request.correlationID)
    }

    /// The conclusion from a refusal about the token, its account or its client.
    private func lesson(of error: AuthenticationError, about token: CachedRefreshToken) -> Lesson? {
        switch (error.oauthError?.asciiLowercased, error.oauthSuberror?.asciiLowercased) {
        case ("invalid_grant", "bad_token"): .useless(token)
        case ("invalid_grant", "user_account_deleted"): .accountIsGone
        case (_, "client_mismatch") where token.clientID != lookup.clientID: .notOfTheFamily
        default: nil
        }
    }

    // MARK: The last trip

    private func keep(
        _ tokens: GrantedTokens, _ lessons: [Lesson], _ owner: String
    ) async throws(AuthenticationError) -> AuthenticationResult {
        let result = core.result(tokens)
        let (clientID, now) = (lookup.clientID, core.clock.now())
        let isKept: Bool
        do throws(AuthenticationError) {
            isKept = try await core.cache.update { document in
                let key = tokens.account.key
                for lesson in lessons { lesson.apply(to: &document, of: key, clientID: clientID) }
                document.endLease(of: key, for: owner)
                return document.saveRefreshed(tokens, clientID: clientID, at: now)
            }
        } catch {
            var error = error
            (error.result, error.unkept) = (result, tokens)
            throw error
        }
        guard isKept else {
            throw AuthenticationError(.interactionRequired, .signedOut, "the account was signed out meanwhile")
        }
        core.log.info("tokens of \(person: tokens.account.username) were refreshed")
        guard tokens.declined.isEmpty else { throw ClientCore.declined(tokens, result) }
        return result
    }

    /// Returns an older token if the failure does not make it doubtful.
    private func served(
        _ remainder: SilentLookup.Remainder, _ account: CachedAccount, insteadOf error: AuthenticationError
    ) throws(AuthenticationError) -> AuthenticationResult {
        // Whether the issuer itself is out of reach or something in between answers for it: the token is good.
        if let token = remainder.stillValid, error.isPassing || error.internalCode == .failedAuthorityValidation {
            return core.result(token, account)
        }
        if let token = remainder.extended, error.isServerDown { return core.result(token, account, isExtended: true) }
        throw error
    }
}

extension CachedRefreshToken {
    /// The key that it is bound to; nil for a bearer token.
    /// - Throws: `interactionRequired` for one that cannot be read: without its proof the token is of no use.
    func privateKey() throws(AuthenticationError) -> PrivateKey? {
        guard let bindingKey else { return nil }
        guard let key = PrivateKey(exported: bindingKey) else {
            throw AuthenticationError(.interactionRequired, .noTokens, "the key of the refresh token cannot be read")
        }
        return key
    }
}

extension AuthenticationError {
    /// Whether the issuer refused this refresh token, and another one may do.
    fileprivate var isAboutTheToken: Bool { oauthError != nil && !isPassing }
}

extension TokenCacheDocument {
    /// Saves the tokens of a refresh, unless the account was signed out or removed in between.
    /// - Returns: whether they were saved.
    fileprivate mutating func saveRefreshed(_ tokens: GrantedTokens, clientID: String, at now: UnixTime) -> Bool {
        guard let old = account(tokens.account.key), !old.signedOutOf.contains(clientID) else { return false }
        var account = tokens.account
        account.signedOutOf = old.signedOutOf
        dropExpired(at: now)
        save(account)
        save(tokens.accessToken)
        if let refreshToken = tokens.refreshToken { save(refreshToken) }
        return true
    }
}
