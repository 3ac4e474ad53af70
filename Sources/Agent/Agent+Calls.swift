internal import SwitchyardClient
internal import SwitchyardCrypto
public import SwitchyardGateway
internal import SwitchyardOAuth
internal import SwitchyardReactor
public import SwitchyardRedemption
public import SwitchyardRouting

/// The calls of programs that may use an app's tokens. Only from a task of a loop.
extension Agent {
    /// How long a sign-out waits for the issuer. The revocation may continue after it.
    private static let revocationTime = Duration.seconds(8)

    public func proof(_ query: ProofQuery, of app: AppRegistration) async throws(AgentRefusal) -> AgentProof {
        let (result, _) = try await self.result(query.token, of: app)
        let proof = result.proof(method: query.method, url: query.url, nonce: query.nonce)
        guard !result.isBound || proof != nil else { throw .unusableKey }
        return AgentProof(proof: proof.map { Secret($0) }, authorization: Secret(result.authorizationHeader))
    }

    public func token(_ query: TokenQuery, of app: AppRegistration) async throws(AgentRefusal) -> AgentToken {
        let (result, problem) = try await self.result(query, of: app)
        let idToken = query.wantsIDToken ? result.currentIDToken : nil
        return AgentToken(
            Secret(result.accessToken), type: result.tokenType,
            expiresOn: result.expiresOn.secondsSince1970, scopes: result.scopes,
            account: AgentAccount(result.account),
            idToken: idToken.map { (text: Secret($0.text), expiresOn: $0.expiresOn.secondsSince1970) },
            notKept: problem)
    }

    private func result(
        _ query: TokenQuery, of app: AppRegistration
    ) async throws(AgentRefusal) -> (AuthenticationResult, KeepingProblem?) {
        let tokens = try await refusing { () async throws(AuthenticationError) in try self.tokens(of: app) }
        guard !query.wantsIDToken || tokens.stored.hasIDTokens else { throw .noIDTokens }
        let found: ClientTokens.Found
        switch try await refusing({ () async throws(AuthenticationError) in try await tokens.find(query.account) }) {
        case .one(let one): found = one
        case .several(let accounts): throw .accountRequired(accounts.map(AgentAccount.init))
        case .nobody:
            let who = query.account.map { "nobody with the account \"\($0)\" has" } ?? "nobody has"
            throw .interactionRequired(
                query.proposal(for: app, asking: tokens.automaticScopes, loginHint: query.account),
                "\(who) signed in\(tokens.whyNobody)")
        }
        var parameters = SilentTokenParameters(
            scopes: query.scope.names.filter { !tokens.automaticScopes.contains($0) }, account: found.account,
            forceRefresh: query.forcesRefresh)
        parameters.mayBeWithoutScopes = true
        if let claims = query.claims {
            guard let request = try? ClaimsRequest(json: claims) else { throw .unreadableClaims }
            parameters.claims = request
        }
        func interactionRequired(claims: String?, _ reason: String) -> AgentRefusal {
            .interactionRequired(
                query.proposal(
                    for: app, asking: tokens.automaticScopes, loginHint: found.account.username ?? query.account,
                    claims: claims), reason)
        }
        // A refresh brings the authentication of the last sign-in, and the resource has refused that one.
        if query.stepUp != nil {
            throw interactionRequired(claims: nil, "the resource wants a stronger or more recent sign-in")
        }
        do throws(AuthenticationError) {
            var (result, problem) = try await tokens.acquire(parameters, for: found)
            if query.wantsIDToken, result.currentIDToken == nil, !parameters.forceRefresh {
                // A refresh brings an ID token where the issuer sends one then.
                parameters.forceRefresh = true
                (result, problem) = try await tokens.acquire(parameters, for: found)
            }
            if !query.wantsIDToken || result.currentIDToken != nil { return (result, problem) }
        } catch {
            guard error.code == .interactionRequired else { throw AgentRefusal(error) }
            throw interactionRequired(claims: error.claims?.json, error.message)
        }
        throw interactionRequired(claims: nil, "the issuer gave no ID token that still counts")
    }

    public func accounts(of app: AppRegistration) async throws(AgentRefusal) -> AgentAccounts {
        try await refusing { () async throws(AuthenticationError) in
            let tokens = try self.tokens(of: app)
            return AgentAccounts(try await tokens.accounts().map(AgentAccount.init), notKept: tokens.unsaved.problem)
        }
    }

    public func removeAccount(
        _ id: String, of app: AppRegistration
    ) async throws(AgentRefusal) -> TokenRevocation {
        let (tokens, removed) = try await refusing { () async throws(AuthenticationError) in
            let tokens = try self.tokens(of: app)
            return (tokens, try await tokens.remove(id))
        }
        guard let removed else { throw .noSuchAccount }
        let outcome = Promise<TokenRevocation>()
        EventLoop.current?.start { outcome.fulfil(await tokens.stored.revoke(removed)) }
        return await outcome.value(until: .now() + Self.revocationTime)
            ?? .failed(SignInFailure(.network, description: "the issuer has not answered yet"))
    }

    private func refusing<Value>(
        _ body: () async throws(AuthenticationError) -> Value
    ) async throws(AgentRefusal) -> Value {
        do throws(AuthenticationError) {
            return try await body()
        } catch {
            throw AgentRefusal(error)
        }
    }
}
