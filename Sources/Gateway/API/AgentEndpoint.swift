internal import SwitchyardCrypto
internal import SwitchyardHTTP
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardRedemption
internal import SwitchyardRouting

/// The agent's part of the apps' API: `POST /v1/tokens` without a refresh token, `GET /v1/accounts` and
/// `DELETE /v1/accounts/{id}`.
struct AgentEndpoint: Sendable {
    let exchange: Exchange
    let agent: any LocalAgent

    /// nil where the call brings a refresh token, which is the gateway's business.
    func token() async throws -> Response? {
        let content = try JSONContent(
            of: exchange.request,
            known: [
                "app", "scope", "account", "force_refresh", "claims", "id_token", "refresh_token", "www_authenticate",
                "dpop", "resource", "previous_scopes",
            ])
        // These say which token is wanted. If a program sends an empty value by mistake, it must not get another one.
        for name in ["account", "refresh_token", "claims"] where content.string(name) == "" {
            throw APIError.invalidRequest("\"\(name)\" is empty; leave it out, or write a value")
        }
        guard content["refresh_token"] == nil else { return nil }
        guard content["dpop"] == nil else {
            throw APIError.invalidRequest(
                "\"dpop\" is for a refresh token of the app's own; the agent makes its proofs itself")
        }
        if content["resource"] != nil {
            return try await AgentResourceEndpoint(agentEndpoint: self).token(content)
        }
        guard content["previous_scopes"] == nil else {
            throw APIError.invalidRequest("\"previous_scopes\" is of use only together with \"resource\"")
        }
        let app = try app(try content.requiredText("app", maximum: 256))
        let scope = try content.scope() ?? app.defaultScope
        let challenge = try content.challenge()
        // After any other challenge the resource has refused the token that there was.
        let query = TokenQuery(
            scope: scope, account: try content.text("account", maximum: 512),
            forcesRefresh: try Self.flag("force_refresh", in: content) || challenge != nil,
            claims: try BeginParameters.claims(content), wantsIDToken: try Self.flag("id_token", in: content),
            stepUp: try challenge.flatMap { header throws(APIError) in try StepUpChallenge.reading(header) })
        return try await respond(for: app) {
            try await reportingGiven(of: app) { Response(try await agent.token(query, of: app)) }
        }
    }

    /// `POST /v1/proofs`: the header fields of one request to an API.
    func proof() async throws -> Response {
        let content = try JSONContent(
            of: exchange.request, known: ["app", "resource", "scope", "account", "method", "url", "nonce"])
        if content["resource"] != nil {
            return try await AgentResourceEndpoint(agentEndpoint: self).authorization(content)
        }
        let app = try app(try content.requiredText("app", maximum: 256))
        let (method, nonce) = try content.provenCall()
        let text = try content.requiredText("url", maximum: 8 * 1024)
        guard let url = try? EndpointURL(String(text.prefix { $0 != "#" }), allowingLoopbackHTTP: true) else {
            throw APIError.invalidRequest("\"url\" has to be an https URL, or one of http on loopback")
        }
        let token = TokenQuery(
            scope: try content.scope() ?? app.defaultScope, account: try content.text("account", maximum: 512),
            forcesRefresh: false, claims: nil, wantsIDToken: false, stepUp: nil)
        let query = ProofQuery(
            token: token, method: method, url: String(url.text.prefix { $0 != "?" }), nonce: nonce)
        return try await respond(for: app) {
            try await reportingGiven(of: app) { Response(try await agent.proof(query, of: app)) }
        }
    }

    static func flag(_ name: String, in content: JSONContent) throws(APIError) -> Bool {
        guard let value = content.value(name) else { return false }
        guard let flag = value.bool else { throw .invalidRequest("\"\(name)\" has to be true or false") }
        return flag
    }

    func accounts() async throws -> Response {
        if let resource = try query("resource", orElse: "app") {
            return try await AgentResourceEndpoint(agentEndpoint: self).accounts(resource)
        }
        let app = try app(try query("app"))
        return try await respond(for: app) { () async throws(AgentRefusal) in
            Response(try await agent.accounts(of: app))
        }
    }

    /// - Parameter id: as it stands in the path.
    func remove(account id: String) async throws -> Response {
        guard let fields = try? FormEncoding.decode(Array("id=\(id.replacing("+", with: "%2B"))".utf8)),
            fields.count == 1, !fields[0].value.isEmpty
        else { throw APIError.invalidRequest("the account in the path is not encoded as it should be") }
        if let resource = try query("resource", orElse: "app") {
            return try await AgentResourceEndpoint(agentEndpoint: self).remove(account: fields[0].value, at: resource)
        }
        let app = try app(try query("app"))
        return try await respond(for: app) { () async throws(AgentRefusal) in
            answer(try await agent.removeAccount(fields[0].value, of: app), for: app)
        }
    }

    /// The answer to a sign-out.
    func answer(_ revocation: TokenRevocation, for app: AppRegistration) -> Response {
        switch revocation {
        case .revoked: report(.revoked, of: app)
        case .failed(let reason): report(.revoked, of: app, failure: SignInFailureNote(reason, issuer: app.issuer))
        case .nothing, .notOffered: break
        }
        // The issuer's response is for callers that ask for content (RFC 7240 section 4.2).
        guard exchange.prefersContent else { return .noContent() }
        return .json(.ok, ["revocation": .string(revocation.name)])
    }

    /// The value of a name in the query; nil if the other one stands there, which must not stand beside it.
    private func query(_ name: String, orElse other: String) throws(APIError) -> String? {
        let fields = (try? FormEncoding.decode(Array(exchange.request.queryBytes ?? []))) ?? []
        guard fields.contains(where: { $0.name == name }) else { return nil }
        guard !fields.contains(where: { $0.name == other }) else {
            throw .invalidRequest("\"\(other)\" beside \"\(name)\": write one of them")
        }
        return try query(name)
    }

    private func query(_ name: String) throws(APIError) -> String {
        let fields = (try? FormEncoding.decode(Array(exchange.request.queryBytes ?? []))) ?? []
        let values = fields.filter { $0.name == name }
        guard values.count == 1, let value = values.first?.value else {
            throw .invalidRequest("\"\(name)\" has to stand in the query, once")
        }
        return value
    }

    private func app(_ id: String) throws(APIError) -> AppRegistration {
        guard let app = exchange.setup.routes.app(named: id) else {
            throw .invalidRequest("\"app\": there is no app \"\(id)\" in the agent's configuration")
        }
        return app
    }

    /// Only the agent's own user gets tokens here, and only the kernel's word identifies the caller.
    func respond(
        for app: AppRegistration, _ call: () async throws -> Response
    ) async throws -> Response {
        try UseAuthorization.checkUser(exchange.caller)
        if let seconds = exchange.limit(by: exchange.setup.collectLimiter) {
            throw APIError.tooMany("programs ask too fast", .collectRate, app: app.id, retryAfter: seconds)
        }
        try UseAuthorization(exchange: exchange).check(app, .keptTokens)
        guard let slot = exchange.core.waiting.slot(for: exchange.caller.key) else {
            throw APIError.tooMany("too many programs wait for an answer", .waitingPerAddress, retryAfter: 5)
        }
        do {
            return try await exchange.core.work.during(holding: slot) { try await call() }
        } catch let error as AgentRefusal {
            exchange.events.report(.callRefused(code: error.code, status: error.status.code, from: exchange.caller))
            return Response(error)
        }
    }

    /// Reports that a program got a token or a proof, or the reason why not.
    func reportingGiven(of app: AppRegistration, _ call: () async throws -> Response) async throws -> Response {
        do {
            let response = try await call()
            report(.given, of: app)
            return response
        } catch {
            let failure = (error as? AgentRefusal)?.failure ?? .invalidRequest
            report(.given, of: app, failure: SignInFailureNote(code: failure))
            throw error
        }
    }

    func report(_ use: TokenUse, of app: AppRegistration, failure: SignInFailureNote? = nil) {
        exchange.events.report(.token(use, failure: failure, app: app.id, from: exchange.caller))
    }
}

extension JSONContent {
    /// The method and the nonce of a call to an API that a proof is for.
    func provenCall() throws(APIError) -> (method: String, nonce: String?) {
        let method = try requiredText("method", maximum: 32)
        guard method.utf8.allSatisfy({ $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") || $0 == UInt8(ascii: "-") })
        else { throw .invalidRequest("\"method\" is no method of HTTP, such as GET") }
        let nonce = try text("nonce", maximum: ProofNonce.maximumLength)
        guard nonce == nil || nonce.flatMap({ ProofNonce($0) }) != nil else {
            throw .invalidRequest("\"nonce\" has a character that a DPoP-Nonce cannot have")
        }
        return (method, nonce)
    }
}

extension TokenRevocation {
    fileprivate var name: String {
        switch self {
        case .revoked: "revoked"
        case .nothing: "nothing"
        case .notOffered: "not_offered"
        case .failed: "failed"
        }
    }
}
