internal import SwitchyardHTTP
internal import SwitchyardJSON
internal import SwitchyardOAuth
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
            known: ["app", "scope", "account", "force_refresh", "claims", "id_token", "refresh_token"])
        // These say which token is wanted. If a program sends an empty value by mistake, it must not get another one.
        for name in ["account", "refresh_token", "claims"] where content.string(name) == "" {
            throw APIError.invalidRequest("\"\(name)\" is empty; leave it out, or write a value")
        }
        guard content["refresh_token"] == nil else { return nil }
        let app = try app(try content.requiredText("app", maximum: 256))
        let scope = try content.scope() ?? app.defaultScope
        let call = AgentCall.token(
            scope: scope, account: try content.text("account", maximum: 512),
            forcesRefresh: try Self.flag("force_refresh", in: content), claims: try BeginParameters.claims(content),
            wantsIDToken: try Self.flag("id_token", in: content))
        return try await answer(call, app)
    }

    private static func flag(_ name: String, in content: JSONContent) throws(APIError) -> Bool {
        guard let value = content.value(name) else { return false }
        guard let flag = value.bool else { throw .invalidRequest("\"\(name)\" has to be true or false") }
        return flag
    }

    func accounts() async throws -> Response {
        try await answer(.accounts, try app(try query("app")))
    }

    /// - Parameter id: as it stands in the path.
    func remove(account id: String) async throws -> Response {
        guard let fields = try? FormEncoding.decode(Array("id=\(id.replacing("+", with: "%2B"))".utf8)),
            fields.count == 1, !fields[0].value.isEmpty
        else { throw APIError.invalidRequest("the account in the path is not encoded as it should be") }
        return try await answer(.removeAccount(id: fields[0].value), try app(try query("app")))
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
    private func answer(_ call: AgentCall, _ app: AppRegistration) async throws -> Response {
        try UseAuthorization.checkUser(exchange.caller)
        if let seconds = exchange.limit(by: exchange.setup.collectLimiter) {
            throw APIError.tooMany("programs ask too fast", .collectRate, app: app.id, retryAfter: seconds)
        }
        try UseAuthorization(exchange: exchange).check(app, .keptTokens)
        guard let slot = exchange.core.waiting.slot(for: exchange.caller.key) else {
            throw APIError.tooMany("too many programs wait for an answer", .waitingPerAddress, retryAfter: 5)
        }
        exchange.core.work.begin()
        defer {
            exchange.core.work.end()
            withExtendedLifetime(slot) {}
        }
        let answer = await agent.answer(call, for: app)
        report(answer, to: call, app)
        if answer.status.code >= 400 {
            exchange.events.report(
                .callRefused(
                    code: answer.body?["error"]?.string ?? "", status: answer.status.code, from: exchange.caller))
        }
        // The issuer's answer to a sign-out is for callers that ask for content (RFC 7240 section 4.2).
        let isSilent = answer.revocation != nil && !exchange.prefersContent
        guard let body = answer.body, !isSilent else { return .noContent() }
        var response = Response.json(answer.status, body)
        if let seconds = answer.retryAfter { response.add("Retry-After", String(seconds)) }
        if answer.status == .unauthorized { response.add("WWW-Authenticate", "Bearer error=\"interaction_required\"") }
        return response
    }

    private func report(_ answer: AgentAnswer, to call: AgentCall, _ app: AppRegistration) {
        let failure: SignInFailureNote?
        let use: TokenUse
        switch (call, answer.revocation) {
        case (.token, _):
            use = .given
            failure = answer.status == .ok ? nil : SignInFailureNote(code: answer.failureCode)
        case (_, .revoked):
            (use, failure) = (.revoked, nil)
        case (_, .failed(let reason)):
            (use, failure) = (.revoked, SignInFailureNote(reason, issuer: app.issuer))
        case (.accounts, _), (.removeAccount, _): return
        }
        exchange.events.report(.token(use, failure: failure, app: app.id, from: exchange.caller))
    }
}

extension AgentAnswer {
    /// Why there is no token, by a name of the failures'.
    fileprivate var failureCode: SignInFailure.Code {
        switch body?["error"]?.string {
        case "account_required", nil: .interactionRequired
        case let code?: SignInFailure.Code(rawValue: code) ?? .internal
        }
    }
}
