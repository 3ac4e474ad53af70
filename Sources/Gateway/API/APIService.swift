internal import SwitchyardHTTP
internal import SwitchyardPendingRequests

/// The apps' API: finds the endpoint and refuses what no app sends.
struct APIService: Sendable {
    let exchange: Exchange

    func respond() async -> Response {
        do {
            try refusePages()
            return try await dispatch()
        } catch {
            let refusal = APIError(of: error)
            report(refusal)
            return refusal.response
        }
    }

    private func report(_ refusal: APIError) {
        let (events, caller) = (exchange.events, exchange.caller)
        switch refusal.note {
        case .call: events.report(.callRefused(code: refusal.error, status: refusal.status.code, from: caller))
        case .limit(let limit, let app): events.report(.limited(limit, app: app, from: caller))
        case .beginRefused(let app): events.report(.beginRefused(app: app, from: caller))
        case .useRefused(let app, let program):
            events.report(.useRefused(app: app, program: program, from: caller))
        case .callback: break
        }
    }

    /// The API is not for pages: a browser that speaks for one says so in these fields.
    private func refusePages() throws(APIError) {
        let request = exchange.request
        let site = request.field("sec-fetch-site")
        guard !request.hasField("origin"), site == nil || site == "none" else {
            throw APIError(.forbidden, "access_denied", "this address is for apps, not for pages")
        }
    }

    private func dispatch() async throws -> Response {
        let path = exchange.request.pathBytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { String(decoding: $0, as: UTF8.self) }
        // The path is "/v1/…", so the first two parts are "" and "v1".
        switch (path.dropFirst(2).first, path.count) {
        case ("callbacks", 3):
            try require(.post)
            return try await RelayEndpoint(exchange: exchange).relay()
        case ("tickets", 3):
            try require(.post)
            return try TicketEndpoint(exchange: exchange).redeem()
        case ("tokens", 3):
            try require(.post)
            if let agent = exchange.core.agent,
                let answer = try await AgentEndpoint(exchange: exchange, agent: agent).token()
            {
                return answer
            }
            return try await TokensEndpoint(exchange: exchange).refresh()
        case ("revocations", 3):
            try require(.post)
            return try await TokensEndpoint(exchange: exchange).revoke()
        case ("proofs", 3):
            let agent = try requireAgent()
            try require(.post)
            return try await agent.proof()
        case ("accounts", 3):
            let agent = try requireAgent()
            try require(.get)
            return try await agent.accounts()
        case ("accounts", 4) where !path[3].isEmpty:
            let agent = try requireAgent()
            try require(.delete)
            return try await agent.remove(account: path[3])
        case ("requests", 3):
            try require(.post)
            return try await BeginEndpoint(exchange: exchange).begin()
        case ("requests", 4) where !path[3].isEmpty:
            return try await RequestEndpoint(exchange: exchange).respond(id: path[3])
        case ("requests", 5) where path[4] == "release" && !path[3].isEmpty:
            try require(.post)
            return try await RequestEndpoint(exchange: exchange).release(id: path[3])
        case ("requests", 5) where path[4] == "authorization_url" && !path[3].isEmpty:
            try require(.post)
            return try await RequestEndpoint(exchange: exchange).authorizationURL(id: path[3])
        default:
            throw APIError(.notFound, "not_found", "the API has no such address")
        }
    }

    /// Refuses every other method.
    private func require(_ method: Request.Method) throws(APIError) {
        guard exchange.request.method == method else { throw .notAllowed(method.rawValue) }
    }

    private func requireAgent() throws(APIError) -> AgentEndpoint {
        guard let agent = exchange.core.agent else {
            throw APIError(
                .notFound, "not_found",
                "a gateway keeps no tokens; accounts and proofs are an agent's (`switchyard agent`)")
        }
        return AgentEndpoint(exchange: exchange, agent: agent)
    }
}
