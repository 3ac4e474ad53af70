internal import SwitchyardCrypto
internal import SwitchyardHTTP
internal import SwitchyardOAuth
internal import SwitchyardRedemption
internal import SwitchyardRouting
internal import SwitchyardText

/// A program's question for a token of a resource.
struct ResourceTokenQuery: Sendable {
    /// The entry that allows the resource.
    let entry: AppRegistration
    let named: NamedResource
    /// An identifier, or a user name; nil for the only account.
    let account: String?
    let forcesRefresh: Bool
    /// The field with which the resource refused the last token; nil without one.
    let header: String?
}

/// Tokens of resources from an agent's cache, or by a refresh.
struct ResourceTokens: Sendable {
    let exchange: Exchange
    let agent: any LocalAgent

    /// - Throws: ``AgentRefusal`` or ``APIError``.
    func token(_ query: ResourceTokenQuery) async throws -> KeptGrant {
        guard let kept = try await find(query) else {
            let who = query.account.map { "nobody with the account \"\($0)\" has" } ?? "nobody has"
            throw query.interaction("\(who) signed in to \(query.named.resource)", after: nil)
        }
        try check(kept, query.entry)
        guard let challenge = query.header else {
            let held = Scopes(parsing: "\(kept.scopes.text) \(kept.requested.text)")
            guard query.named.scope?.declined(grantedBy: held).isEmpty ?? true else {
                throw query.interaction("the last sign-in asked for less", after: kept)
            }
            guard query.forcesRefresh || !kept.isFresh(at: WallTime.now().seconds) else { return kept }
            return try await renew(kept, query)
        }
        // A refresh brings no more scopes, and no other authentication of the person.
        if query.named.challenge?.asksForMoreScope == true {
            throw query.interaction("the resource wants more scopes", after: kept)
        }
        if try StepUpChallenge.reading(challenge) != nil {
            throw query.interaction("the resource wants a stronger or more recent sign-in", after: kept)
        }
        let found = try await discover(query)
        guard found.server.issuer.issuer.isExactly(kept.grant.metadata.issuer),
            found.resource.resource.text.isExactly(kept.grant.resource)
        else {
            try await agent.remove(kept.key)
            throw query.interaction("the resource now has another authorization server", after: kept)
        }
        // A refresh binds no token: a key belongs to a sign-in.
        if found.resource.requiresDPoP, kept.bindingKey == nil, query.entry.tokenHandling.binding != .off {
            try await agent.remove(kept.key)
            throw query.interaction("the resource now takes only tokens that are bound to a key", after: kept)
        }
        return try await renew(kept, query)
    }

    /// Whether the program may use tokens that serve for the whole resource, which may be above the one it asked for.
    func check(_ kept: KeptGrant, _ entry: AppRegistration) throws(APIError) {
        guard let resource = try? ResourceURL(kept.grant.resource, allowingLoopbackHTTP: true) else { return }
        try UseAuthorization(exchange: exchange).check(entry, of: resource, .keptTokens)
    }

    // MARK: The cache

    private func find(_ query: ResourceTokenQuery) async throws -> KeptGrant? {
        var kept = try await agent.grants(for: query.named.resource).filter(query.admits)
        if kept.isEmpty { kept = try await findAbove(query) }
        // Sign-ins at several issuers or clients of one account are one; the newest, which stands first, counts.
        if let name = query.account { return try kept.of(account: name).first }
        let accounts = kept.accounts
        guard accounts.count < 2 else { throw AgentRefusal.accountRequired(accounts) }
        return kept.first
    }

    /// A sign-in to a resource above may serve for this one too. Only this URL's own metadata can say so.
    private func findAbove(_ query: ResourceTokenQuery) async throws -> [KeptGrant] {
        let above = try await agent.grants(covering: query.named.resource).filter(query.admits)
        guard !above.isEmpty, let found = try? await discover(query) else { return [] }
        let serving = above.filter { kept in
            kept.grant.resource.isExactly(found.resource.resource.text)
                && kept.grant.metadata.issuer.isExactly(found.server.issuer.issuer)
        }
        for kept in serving {
            try check(kept, query.entry)
            await agent.serve(query.named.resource, by: kept.key)
        }
        return serving
    }

    private func discover(_ query: ResourceTokenQuery) async throws -> DiscoveredResource {
        guard let settings = query.entry.resource else { throw APIError.resourceNotAllowed(query.named.resource) }
        do throws(ResourceRefusal) {
            return try await ResourceSignIn(exchange: exchange, entry: query.entry)
                .discover(query.named, settings, exchange.setup.rules(for: settings))
        } catch {
            throw APIError(error)
        }
    }

    // MARK: Refresh

    private func renew(_ kept: KeptGrant, _ query: ResourceTokenQuery) async throws -> KeptGrant {
        guard kept.refreshToken != nil else {
            throw query.interaction("the token has ended, and the issuer gave no refresh token", after: kept)
        }
        guard let app = query.entry.signingIn(with: kept.grant) else {
            throw query.interaction("the key of the client that the token is for is no longer configured", after: kept)
        }
        let renewed: KeptGrant?
        do throws(SignInFailure) {
            renewed = try await agent.renew(kept) { [exchange] kept async throws(SignInFailure) in
                try await Self.refresh(kept, app, exchange)
            }
        } catch {
            switch error.code {
            case .invalidGrant, .interactionRequired, .unauthorizedClient, .invalidClient:
                throw query.interaction(
                    "the issuer no longer refreshes the token (\(error.code.rawValue))", after: kept)
            default:
                // While the issuer is out, the token that still counts is better than none.
                let isGood = !query.isRefused && WallTime.now().seconds < kept.expiresOn
                guard isGood else { throw AgentRefusal(refresh: error) }
                return kept
            }
        }
        guard let renewed else { throw query.interaction("the account was signed out meanwhile", after: nil) }
        return renewed
    }

    /// Asks the issuer, at most once (rules: exactly once). An agent that stops waits for the answer, which may hold the
    /// only copy of a token that rotates.
    /// - Parameter app: the entry, signing in with the grant.
    private static func refresh(
        _ kept: KeptGrant, _ app: AppRegistration, _ exchange: Exchange
    ) async throws(SignInFailure) -> KeptGrant {
        guard let token = kept.refreshToken, let issuer = exchange.setup.issuer(of: app) else {
            throw SignInFailure(.internal, description: "the resource's issuer is not set up")
        }
        do throws(SignInFailure) {
            var request = RedemptionRequest(
                .refreshToken(token),
                expecting: TokenExpectations(
                    issuer: issuer, clientID: app.clientID, requestedScopes: Scopes(parsing: "")),
                authentication: app.clientAuthentication)
            request.binding = try kept.binding
            let tokens = try await exchange.core.work.during { () async throws(SignInFailure) in
                try await exchange.worker.redeemer.redeem(request)
            }
            var renewed = kept
            renewed.take(tokens, at: WallTime.now().seconds)
            return renewed
        } catch {
            if error.code == .invalidClient, let uri = app.redirectURIs.first {
                await exchange.registrations.forget(
                    ClientRegistrations.key(kept.grant.metadata.issuer, uri), kept.grant.clientID)
                await exchange.core.agent?.forgetClient(kept.grant.clientID, at: kept.grant.metadata.issuer)
            }
            throw error
        }
    }
}

extension ResourceTokenQuery {
    /// Whether the resource has refused the present token, or the program does not want it.
    var isRefused: Bool { forcesRefresh || header != nil }

    /// Whether the entry's own client has made a sign-in, if it names one.
    func admits(_ kept: KeptGrant) -> Bool {
        guard let client = entry.resource?.client else { return true }
        return kept.grant.clientID.isExactly(client.id) && kept.grant.metadata.issuer.isExactly(client.issuer)
    }

    /// - Parameter kept: the sign-in before.
    func interaction(_ reason: String, after kept: KeptGrant?) -> AgentRefusal {
        var proposal = SignInProposal(
            app: entry.id, scope: named.scope ?? named.challenge?.scope ?? Scopes(parsing: ""), loginHint: nil,
            claims: nil, stepUp: nil)
        proposal.resource = ResourceProposal(
            resource: named.resource, previous: named.previous ?? kept?.scopes ?? Scopes(parsing: ""), challenge: header
        )
        return .interactionRequired(proposal, reason)
    }
}

extension AgentRefusal {
    /// Why a refresh brought no token, although a sign-in would not help.
    fileprivate init(refresh failure: SignInFailure) {
        self.init(
            failure.status, failure.code.rawValue, failure.description?.text ?? "the issuer gave no new token",
            retryAfter: failure.retryAfter, failure: failure.code)
    }
}

extension [KeptGrant] {
    /// The accounts, each once, that with the newest sign-in first.
    var accounts: [AgentAccount] {
        var seen: Set<String> = []
        return map(\.account).filter { seen.insert($0.id).inserted }
    }

    /// The sign-ins of one account.
    /// - Parameter name: its identifier, or its user name without regard to case.
    /// - Throws: `account_required` if several accounts have this user name. An issuer need not keep them apart (OpenID
    ///   Connect Core section 5.7).
    func of(account name: String) throws(AgentRefusal) -> [KeptGrant] {
        let identified = filter { $0.account.id.isExactly(name) }
        guard identified.isEmpty else { return identified }
        let named = filter { $0.account.username?.asciiLowercased == name.asciiLowercased }
        let accounts = named.accounts
        guard accounts.count < 2 else { throw .accountRequired(accounts) }
        return named
    }
}
