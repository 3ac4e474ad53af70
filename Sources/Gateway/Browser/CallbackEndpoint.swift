internal import SwitchyardConfiguration
internal import SwitchyardHTTP
internal import SwitchyardHandlers
internal import SwitchyardOAuth
internal import SwitchyardReactor
internal import SwitchyardRouting

/// The redirect URIs themselves: where a browser brings an authorization response (design 3.4).
struct CallbackEndpoint: Sendable {
    let core: GatewayCore
    let worker: GatewayWorker

    func respond(to request: Request, _ route: Route) async -> Response {
        let caller = Caller(request, trusting: worker.setup.configuration.trustedProxies)
        if let seconds = worker.setup.callbackLimiter.take(caller.key, at: worker.loop.now) {
            var response = Response.page(.tooManyRequests, .refused(.tooManyRequests), to: request)
            response.add("Retry-After", String(seconds))
            return response
        }
        if let target = worker.setup.redirectTarget(of: route.app) { return dispatch(request, to: target) }
        switch (request.method, route.app.responseMode.carrier) {
        case (.head, _): return .noContent()
        case (.get, .query): return await take(request, route, caller)
        case (.get, .fragment): return showRepostPage(request, route, caller)
        case (.post, .form), (.post, .fragment): return await takeForm(request, route, caller)
        case (.post, .query) where !Self.isForm(request): return Self.notAForm(request)
        case (_, .query): return .notAllowed("GET, HEAD", to: request)
        case (_, .form): return .notAllowed("POST, HEAD", to: request)
        case (_, .fragment): return .notAllowed("GET, POST, HEAD", to: request)
        }
    }

    /// Pure dispatch: no request is held, so nothing is looked at.
    private func dispatch(_ request: Request, to target: [UInt8]) -> Response {
        switch request.method {
        case .get: .redirect(.found, to: RedirectHandler.location(target, query: request.queryBytes))
        case .head: .noContent()
        default: .notAllowed("GET, HEAD", to: request)
        }
    }

    // MARK: By response mode

    private func take(_ request: Request, _ route: Route, _ caller: Caller) async -> Response {
        if request.isPrefetch { return .page(.serviceUnavailable, .refused(.prefetch), to: request) }
        let query = request.queryBytes.map(Array.init) ?? []
        let url = route.app.responseMode.isSigned ? route.redirectURI.text : Self.url(request, route)
        let arrival = CallbackArrival(core: core, worker: worker)
        return await arrival.answer(request, route, caller, query: query, content: nil, url: url)
    }

    private func takeForm(_ request: Request, _ route: Route, _ caller: Caller) async -> Response {
        guard Self.isForm(request) else { return Self.notAForm(request) }
        if request.isPrefetch { return .page(.serviceUnavailable, .refused(.prefetch), to: request) }
        let arrival = CallbackArrival(core: core, worker: worker)
        // What a browser keeps in the fragment only our own page can send; browsers say whose form it was.
        if route.app.responseMode.carrier == .fragment, !request.isFromOwnSite {
            return arrival.refuse(.wrongResponseMode, request, route, caller)
        }
        return await arrival.answer(
            request, route, caller, query: request.queryBytes.map(Array.init) ?? [], content: request.body,
            url: route.redirectURI.text)
    }

    /// The page that posts the fragment back to us. A response in the query came in another way than the app asked for.
    private func showRepostPage(_ request: Request, _ route: Route, _ caller: Caller) -> Response {
        if request.isPrefetch { return .page(.serviceUnavailable, .refused(.prefetch), to: request) }
        let query = request.queryBytes.map(Array.init) ?? []
        guard !AuthorizationResponse.isHinted(in: query) else {
            return CallbackArrival(core: core, worker: worker).refuse(.wrongResponseMode, request, route, caller)
        }
        return .page(.ok, .fragment, to: request)
    }

    /// The callback byte for byte, as the browser addressed it.
    private static func url(_ request: Request, _ route: Route) -> String {
        let query = request.queryBytes.map { "?" + String(decoding: $0, as: UTF8.self) } ?? ""
        return route.redirectURI.text + query
    }

    private static func isForm(_ request: Request) -> Bool {
        request.mediaType == "application/x-www-form-urlencoded"
    }

    private static func notAForm(_ request: Request) -> Response {
        .page(.unsupportedMediaType, .refused(.unsupportedContentType), to: request)
    }
}
