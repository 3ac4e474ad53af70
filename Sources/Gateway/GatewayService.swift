internal import Glibc
internal import SwitchyardConfiguration
internal import SwitchyardHTTP
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRouting

/// Finds the endpoint of a request, by its listener and its path.
struct GatewayService: Service {
    let workers: [GatewayWorker]

    /// Answers a callback that is only redirected, the most frequent request of a busy gateway, without an exchange and
    /// without waiting.
    func answerAtOnce(_ request: Request) -> Response? {
        let worker = workers[request.connection.loop.index]
        let setup = worker.setup
        let services = setup.services[request.connection.listener]
        guard services.contains(.callbacks), !services.contains(.ownerOnly),
            let route = Self.route(request, setup), route.app.redirectTarget != nil
        else { return nil }
        return limitOrRedirect(
            request, route, from: Caller(request, trusting: setup.configuration.trustedProxies), worker)
    }

    func respond(to request: Request) async -> Response {
        let worker = workers[request.connection.loop.index]
        let setup = worker.setup
        let services = setup.services[request.connection.listener]
        var caller = Caller(request, trusting: setup.configuration.trustedProxies)
        if services.contains(.ownerOnly) {
            if case .ip = request.connection.peer {
                guard request.connection.isOwnUsers else { return Self.refuseStrangersBrowser(request, caller, worker) }
            } else if request.connection.peer != .local(uid: geteuid()) {
                return Self.refuseStranger(caller, worker)
            }
            if let agent = worker.core.agent {
                caller = caller.counted(as: agent.programKey(of: request.connection.peerProcess))
            }
        }
        if services.contains(.callbacks), let route = Self.route(request, setup) {
            if let response = limitOrRedirect(request, route, from: caller, worker) { return response }
            let exchange = Exchange(request, from: caller, on: worker, at: route)
            return await CallbackEndpoint(exchange: exchange).respond(route)
        }
        return await Self.respond(to: Exchange(request, from: caller, on: worker), services)
    }

    /// Counts a callback. Answers it if it exceeds the rate, or if its app only has it redirected.
    private func limitOrRedirect(
        _ request: Request, _ route: Route, from caller: Caller, _ worker: GatewayWorker
    ) -> Response? {
        let setup = worker.setup
        if let seconds = setup.callbackLimiter.take(caller.key, at: worker.loop.now) {
            let reference = worker.core.events.report(.limited, app: route.app.id, from: caller)
            return Exchange(request, from: caller, on: worker, at: route).limitedPage(retryAfter: seconds, reference)
        }
        guard let target = route.app.redirectTarget else { return nil }
        return RedirectHandler.answer(request, to: target, of: route, from: caller, worker, hasWaited: false)
    }

    /// The answer on a socket that is another user's: the folder that it is in keeps strangers out, but for root.
    private static func refuseStranger(_ caller: Caller, _ worker: GatewayWorker) -> Response {
        worker.core.events.report(.callRefused(code: "access_denied", status: Status.forbidden.code, from: caller))
        return APIError(.forbidden, "access_denied", "this socket is for another user of this machine").response
    }

    /// The answer on a loopback port of an agent to a connection of another user, or of a user that the kernel does not
    /// show. The list of processes shows every user the authorization address, with its state. So another user could
    /// otherwise sign in as itself and bring that callback here, or an error.
    static func refuseStrangersBrowser(
        _ request: Request, _ caller: Caller, _ worker: GatewayWorker
    ) -> Response {
        worker.core.events.report(
            .callRefused(
                code: "access_denied", status: Status.forbidden.code, detail: request.connection.ownersText,
                from: caller))
        return .page(.forbidden, .refused(.anotherBrowser, nil), of: worker.setup.pages, to: request)
    }

    private static func respond(to exchange: Exchange, _ services: ListenerServices) async -> Response {
        let request = exchange.request
        if services.subtracting(.ownerOnly) != [.admin], let answer = await exchange.core.probe.answer(exchange) {
            return answer
        }
        if services.contains(.callbacks), let page = await ownPage(exchange) { return page }
        let isOperators = services.contains(.admin) && AdminService.has(request.pathText)
        if services.contains(.api), !isOperators, request.pathBytes.starts(with: "/v1/".utf8) {
            return await APIService(exchange: exchange).respond()
        }
        if services.contains(.admin) {
            return await AdminService(worker: exchange.worker).respond(to: request)
        }
        if services.contains(.callbacks) {
            let reference = exchange.events.report(.notMine, app: nil, from: exchange.caller)
            return exchange.refusal(.notFound, reference)
        }
        return APIError(.notFound, "not_found", "the API is below /v1/").response
    }

    func respond(to error: HTTPError, of request: Request?, on connection: ConnectionContext) -> Response {
        let worker = workers[connection.loop.index]
        let setup = worker.setup
        let caller =
            request.map { Caller($0, trusting: setup.configuration.trustedProxies) } ?? Caller(connection.peer)
        let route = request.flatMap { Self.route($0, setup) }
        let problem: CallbackError = error.refusal == .tooLarge ? .tooLarge : .malformed
        var reference: Reference?
        if let limit = error.connectionLimit {
            worker.core.events.report(.limited(limit, app: nil, from: caller))
        } else if route != nil || setup.services[connection.listener].subtracting(.ownerOnly) == [.callbacks] {
            reference = worker.core.events.report(.refused(problem), app: route?.app.id, from: caller, because: error)
        } else {
            worker.core.events.report(
                .callRefused(
                    code: problem.rawValue, status: error.status.code, detail: error.reason.explanation, from: caller))
        }
        if let limit = error.sizeLimit { worker.counters.count { $0.limited(by: limit) } }
        guard setup.services[connection.listener].contains(.callbacks) else {
            let code = error.connectionLimit != nil ? "temporarily_unavailable" : "invalid_request"
            return APIError(error.status, code, error.reason.explanation).response
        }
        var response = Response.page(error.status, .refused(error.refusal, reference), of: setup.pages, to: request)
        if let request, let route {
            let exchange = Exchange(request, from: caller, on: worker, at: route)
            CleanAddress.leave(route, error.refusal, reference, exchange, in: &response)
        } else if let path = error.path, [.uriTooLong, .headerFieldsTooLarge].contains(error.status) {
            // Browsers make no malformed requests. A sibling domain's cookies can make a good one too large.
            CleanAddress.leave(path, error.refusal, reference, worker.registry, in: &response)
        }
        return response
    }

    /// The route of a request, compared byte for byte. A host without a port has the port of https, not this
    /// listener's: the browser says how it reached us, and a proxy may stand between. Plain-http redirect URIs on
    /// loopback are served while the whole gateway is for this machine.
    private static func route(_ request: Request, _ setup: Setup) -> Route? {
        guard let host = request.hostBytes else { return nil }
        let route = setup.routes.route(
            https: host.span, port: request.port ?? 443, path: request.pathBytes.span)
        if route != nil || !setup.configuration.publicURL.isLoopback { return route }
        return setup.routes.route(
            loopback: host.span, port: request.port ?? 80, path: request.pathBytes.span)
    }

    static func ownPage(_ exchange: Exchange) async -> Response? {
        let path = exchange.request.pathBytes
        let isDocument = path.starts(with: ClientDocumentEndpoint.path.utf8)
        let isDone = path.starts(with: "/done/".utf8)
        guard isDocument || isDone || path.starts(with: "/start/".utf8) else { return nil }
        if let seconds = exchange.limit(by: exchange.setup.pageLimiter) {
            exchange.events.report(.limited(.callbackRate, app: nil, from: exchange.caller))
            return exchange.limitedPage(retryAfter: seconds)
        }
        if isDocument { return ClientDocumentEndpoint(exchange: exchange).respond() }
        let text = exchange.request.pathText
        do throws(StoreError) {
            return isDone
                ? try await SignInPage(exchange: exchange).respond(path: text.dropFirst(6))
                : try await StartEndpoint(exchange: exchange).respond(path: text.dropFirst(7))
        } catch {
            return exchange.refusedPage(.unavailable)
        }
    }
}
