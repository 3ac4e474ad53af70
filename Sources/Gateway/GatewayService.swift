internal import SwitchyardConfiguration
internal import SwitchyardHTTP
internal import SwitchyardReactor
internal import SwitchyardRouting

/// Finds out what a request is for, by the listener that it came on and its path.
struct GatewayService: Service {
    let core: GatewayCore
    let workers: [GatewayWorker]

    func respond(to request: Request) async -> Response {
        let worker = workers[request.connection.loop.index]
        let services = worker.setup.services[request.connection.listener]
        if services.contains(.callbacks) {
            if let route = Self.route(request, worker.setup.routes) {
                return await CallbackEndpoint(core: core, worker: worker).respond(to: request, route)
            }
            if let page = await ownPage(request, worker) { return page }
        }
        if services.contains(.api), request.pathBytes.starts(with: "/v1/".utf8) {
            return await APIService(core: core, worker: worker).respond(to: request)
        }
        if services.contains(.admin) { return await AdminService(core: core).respond(to: request) }
        if services.contains(.callbacks) { return .page(.notFound, .refused(.notFound), to: request) }
        return APIError(.notFound, "not_found", "the API is below /v1/").response
    }

    func respond(to error: HTTPError, on connection: ConnectionContext) -> Response {
        let setup = workers[connection.loop.index].setup
        let isBusy = error.reason == .tooManyConnections
        guard setup.services[connection.listener].contains(.callbacks) else {
            let code = isBusy ? "temporarily_unavailable" : "invalid_request"
            return APIError(error.status, code, error.reason.explanation).response
        }
        if isBusy { return .page(error.status, .refused(.tooManyRequests), language: .english) }
        let isTooLarge = [.contentTooLarge, .uriTooLong, .headerFieldsTooLarge].contains(error.status)
        return .page(error.status, .refused(isTooLarge ? .tooLarge : .malformed), language: .english)
    }

    /// The route of a request, compared byte for byte. A host without a port means that of https, whatever port this
    /// listener has: the browser says how it reached us, and a proxy may stand between.
    private static func route(_ request: Request, _ routes: RouteTable) -> Route? {
        guard let authority = request.authority else { return nil }
        return routes.route(
            https: authority.host.span, port: authority.port ?? 443, path: request.pathBytes.span)
    }

    private func ownPage(_ request: Request, _ worker: GatewayWorker) async -> Response? {
        let path = request.pathBytes
        let isDone = path.starts(with: "/done/".utf8)
        guard isDone || path.starts(with: "/start/".utf8) else { return nil }
        let caller = Caller(request, trusting: worker.setup.configuration.trustedProxies)
        if let seconds = worker.setup.pageLimiter.take(caller.key, at: worker.loop.now) {
            var response = Response.page(.tooManyRequests, .refused(.tooManyRequests), to: request)
            response.add("Retry-After", String(seconds))
            return response
        }
        if isDone {
            return await DonePage(core: core, worker: worker).respond(
                to: request, reference: request.pathText.dropFirst(6))
        }
        return await StartEndpoint(core: core, worker: worker).respond(
            to: request, path: request.pathText.dropFirst(7))
    }
}
