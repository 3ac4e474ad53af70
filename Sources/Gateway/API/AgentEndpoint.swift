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
            ])
        // These say which token is wanted. If a program sends an empty value by mistake, it must not get another one.
        for name in ["account", "refresh_token", "claims"] where content.string(name) == "" {
            throw APIError.invalidRequest("\"\(name)\" is empty; leave it out, or write a value")
        }
        guard content["refresh_token"] == nil else { return nil }
        let app = try app(try content.requiredText("app", maximum: 256))
        let scope = try content.scope() ?? app.defaultScope
        let challenge = try content.challenge()
        // After any other challenge the resource has refused the token that there was.
        let query = TokenQuery(
            scope: scope, account: try content.text("account", maximum: 512),
            forcesRefresh: try Self.flag("force_refresh", in: content) || challenge != nil,
            claims: try BeginParameters.claims(content), wantsIDToken: try Self.flag("id_token", in: content),
            stepUp: try challenge.flatMap { header throws(APIError) in try StepUpChallenge.reading(header) })
        return try await respond(for: app) { () async throws(AgentRefusal) in
            do throws(AgentRefusal) {
                let token = try await agent.token(query, of: app)
                report(.given, of: app)
                return Response(token)
            } catch {
                report(.given, of: app, failure: SignInFailureNote(code: error.failure))
                throw error
            }
        }
    }

    private static func flag(_ name: String, in content: JSONContent) throws(APIError) -> Bool {
        guard let value = content.value(name) else { return false }
        guard let flag = value.bool else { throw .invalidRequest("\"\(name)\" has to be true or false") }
        return flag
    }

    func accounts() async throws -> Response {
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
        let app = try app(try query("app"))
        return try await respond(for: app) { () async throws(AgentRefusal) in
            let revocation = try await agent.removeAccount(fields[0].value, of: app)
            switch revocation {
            case .revoked: report(.revoked, of: app)
            case .failed(let reason): report(.revoked, of: app, failure: SignInFailureNote(reason, issuer: app.issuer))
            case .nothing, .notOffered: break
            }
            // The issuer's response is for callers that ask for content (RFC 7240 section 4.2).
            guard exchange.prefersContent else { return .noContent() }
            return .json(.ok, ["revocation": .string(revocation.name)])
        }
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
    private func respond(
        for app: AppRegistration, _ call: () async throws(AgentRefusal) -> Response
    ) async throws -> Response {
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
        do throws(AgentRefusal) {
            return try await call()
        } catch {
            exchange.events.report(.callRefused(code: error.code, status: error.status.code, from: exchange.caller))
            return Response(error)
        }
    }

    private func report(_ use: TokenUse, of app: AppRegistration, failure: SignInFailureNote? = nil) {
        exchange.events.report(.token(use, failure: failure, app: app.id, from: exchange.caller))
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
