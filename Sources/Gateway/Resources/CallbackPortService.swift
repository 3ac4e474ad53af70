internal import SwitchyardConfiguration
internal import SwitchyardHTTP
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRouting

/// Answers at an agent's port for sign-ins to resources: callbacks of resources, and the pages that follow. Only
/// connections of this user count.
struct CallbackPortService: Service {
    let workers: [GatewayWorker]
    let port: UInt16

    func respond(to request: Request) async -> Response {
        let worker = workers[request.connection.loop.index]
        let setup = worker.setup
        let caller = Caller(request, trusting: TrustedProxies())
        guard request.connection.isOwnUsers else {
            return GatewayService.refuseStrangersBrowser(request, caller, worker)
        }
        // A page of another name, which was made to resolve to loopback, learns nothing.
        guard let host = request.hostBytes, host.elementsEqual("127.0.0.1".utf8), (request.port ?? 80) == Int(port)
        else {
            return Exchange(request, from: caller, on: worker).refusal(.notFound)
        }
        if let seconds = setup.callbackLimiter.take(caller.key, at: worker.loop.now) {
            worker.core.events.report(.limited(.callbackRate, app: nil, from: caller))
            return Exchange(request, from: caller, on: worker).limitedPage(retryAfter: seconds)
        }
        if let uri = try? RedirectURI("http://127.0.0.1:\(port)\(request.pathText)"),
            let route = setup.routes.route(uri.form)?.called(at: uri), route.app.resource != nil
        {
            let exchange = Exchange(request, from: caller, on: worker, at: route)
            return await CallbackEndpoint(exchange: exchange).respond(route)
        }
        let exchange = Exchange(request, from: caller, on: worker)
        if request.pathText.hasPrefix("/done/"), let page = await GatewayService.ownPage(exchange) { return page }
        return exchange.refusedPage(.notFound)
    }
}

extension Gateway {
    /// Lets an agent open ports for sign-ins to resources.
    func serveCallbackPorts() {
        core.callbackPorts.adopt { [group, workers, policies] socket in
            let server = Server(
                group: group, limits: policies.configuration.limits.http, connections: .forOwnUser(at: socket.port),
                service: CallbackPortService(workers: workers, port: socket.port))
            server.listen(Listener(socket.address, context: nil, number: 0), on: socket)
            return server
        }
    }

    /// Whether a sign-in still waits for its callback.
    static func isWaiting(_ id: RequestID, in registry: RequestRegistry) async -> Bool {
        do throws(StoreError) {
            return try await registry.find(.id(id)).map { !$0.isFinished } ?? false
        } catch {
            return true
        }
    }
}
