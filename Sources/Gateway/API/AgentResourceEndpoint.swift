internal import SwitchyardCrypto
internal import SwitchyardHTTP
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardReactor
internal import SwitchyardRedemption
internal import SwitchyardRouting
internal import SwitchyardText

/// The agent's calls with `resource` in place of `app`: tokens from its cache, accounts, and signing out.
struct AgentResourceEndpoint: Sendable {
    let agentEndpoint: AgentEndpoint

    var exchange: Exchange { agentEndpoint.exchange }
    var agent: any LocalAgent { agentEndpoint.agent }

    /// How long a sign-out waits for the issuer.
    private static let revocationTime = Duration.seconds(8)

    // MARK: Tokens

    func token(_ content: JSONContent) async throws -> Response {
        for name in ["claims", "id_token", "app"] where content.value(name) != nil {
            throw APIError.invalidRequest("\"\(name)\" beside \"resource\" has no meaning")
        }
        let (app, named) = try NamedResource.read(content, exchange.setup.routes)
        let query = try ResourceTokenQuery(
            entry: app, named: named, account: content.text("account", maximum: 512),
            forcesRefresh: AgentEndpoint.flag("force_refresh", in: content), header: content.challenge())
        return try await agentEndpoint.respond(for: app) {
            try await agentEndpoint.reportingGiven(of: app) {
                answer(try await ResourceTokens(exchange: exchange, agent: agent).token(query))
            }
        }
    }

    private func answer(_ kept: KeptGrant) -> Response {
        Response(
            AgentToken(
                kept.accessToken, type: kept.tokenType, expiresOn: kept.expiresOn, scopes: kept.scopes.names,
                account: kept.account, idToken: nil, notKept: agent.keepingProblem),
            of: kept.grant)
    }

    /// `POST /v1/proofs`: the header fields of one request to the resource.
    func authorization(_ content: JSONContent) async throws -> Response {
        guard content["app"] == nil else {
            throw APIError.invalidRequest("\"app\" beside \"resource\": write one of them")
        }
        let (app, named) = try NamedResource.read(content, exchange.setup.routes)
        let url = try NamedResource.resource(try content.requiredText("url", maximum: 8 * 1024))
        guard url.origin == named.resource.origin else {
            throw APIError.invalidRequest("\"url\" is not at \(named.resource.origin), whose token it would get")
        }
        let (method, nonce) = try content.provenCall()
        let query = try ResourceTokenQuery(
            entry: app, named: named, account: content.text("account", maximum: 512), forcesRefresh: false, header: nil)
        return try await agentEndpoint.respond(for: app) {
            try await agentEndpoint.reportingGiven(of: app) {
                let kept = try await ResourceTokens(exchange: exchange, agent: agent).token(query)
                guard let proof = kept.proof(method: method, url: url.text, nonce: nonce) else {
                    throw AgentRefusal.unusableKey
                }
                return Response(proof)
            }
        }
    }

    // MARK: Accounts

    /// - Parameter text: the URL of the resource.
    func accounts(_ text: String) async throws -> Response {
        let (app, resource) = try entry(text)
        return try await agentEndpoint.respond(for: app) {
            let kept = try await agent.grants(for: resource)
            try check(kept, app)
            return Response(AgentAccounts(kept.map(\.account), notKept: agent.keepingProblem))
        }
    }

    /// - Parameter name: an identifier or a user name.
    func remove(account name: String, at text: String) async throws -> Response {
        let (app, resource) = try entry(text)
        return try await agentEndpoint.respond(for: app) {
            let kept = try await agent.grants(for: resource).of(account: name)
            try check(kept, app)
            var revocation: TokenRevocation?
            for grant in kept {
                guard let removed = try await agent.remove(grant.key) else { continue }
                revocation = await revoke(removed, app)
            }
            guard let revocation else { throw AgentRefusal.noSuchAccount }
            return agentEndpoint.answer(revocation, for: app)
        }
    }

    private func entry(_ text: String) throws(APIError) -> (AppRegistration, ResourceURL) {
        let resource = try NamedResource.resource(text)
        guard let app = exchange.setup.routes.app(of: resource) else { throw .resourceNotAllowed(resource) }
        return (app, resource)
    }

    private func check(_ kept: [KeptGrant], _ app: AppRegistration) throws(APIError) {
        for grant in kept { try ResourceTokens(exchange: exchange, agent: agent).check(grant, app) }
    }

    /// The revocation may continue after the answer.
    private func revoke(_ kept: KeptGrant, _ app: AppRegistration) async -> TokenRevocation {
        guard let token = kept.refreshToken else { return .nothing }
        guard let client = app.signingIn(with: kept.grant) else {
            return .failed(
                SignInFailure(
                    .internal, description: "the key of the client that the token is for is no longer configured"))
        }
        guard let endpoint = kept.grant.metadata.endpoints(for: client.clientAuthentication).revocation,
            let issuer = exchange.setup.issuer(of: client)
        else { return .notOffered }
        var request = RevocationRequest(
            token, of: kept.grant.clientID, at: issuer, authentication: client.clientAuthentication,
            tokenTypeHint: "refresh_token")
        request.binding = try? kept.binding
        let outcome = Promise<TokenRevocation>()
        let redeemer = exchange.worker.redeemer
        exchange.worker.loop.start { [request] in
            do throws(SignInFailure) {
                try await redeemer.revoke(request, at: endpoint)
                outcome.fulfil(.revoked)
            } catch {
                outcome.fulfil(.failed(error))
            }
        }
        return await outcome.value(until: .now() + Self.revocationTime)
            ?? .failed(SignInFailure(.network, description: "the issuer has not answered yet"))
    }
}
