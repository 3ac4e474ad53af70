internal import SwitchyardConfiguration
internal import SwitchyardHTTP
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardRouting

/// Answers at the redirect URIs of apps that hold requests or keep their own state. A browser brings an authorization
/// response there, in the way that the app's response mode names.
struct CallbackEndpoint: Sendable {
    let exchange: Exchange

    private var request: Request { exchange.request }

    func respond(_ route: Route) async -> Response {
        switch (request.method, route.app.responseMode.carrier) {
        case (.head, _): told(.prefetch, route) { _ in .noContent() }
        case (.get, .query): await take(route)
        case (.get, .fragment): showRepostPage(route)
        case (.post, .form), (.post, .fragment): await takeForm(route)
        case (.post, .query) where !isForm: notAForm(route)
        case (_, .query): notAllowed("GET, HEAD", route)
        case (_, .form): notAllowed("POST, HEAD", route)
        case (_, .fragment): notAllowed("GET, POST, HEAD", route)
        }
    }

    private func take(_ route: Route) async -> Response {
        guard request.isPersonal else { return prefetch(route) }
        return await arrive(ArrivedCallback(exchange, at: route, query: query))
    }

    /// Judges a callback, and answers by the app's handlers.
    func arrive(_ callback: ArrivedCallback) async -> Response {
        if callback.route.app.handlers.deliveries.isEmpty {
            return await CallbackAnswer(exchange: exchange, route: callback.route).answer(callback)
        }
        return await DeliveryAnswer(exchange: exchange).answer(callback)
    }

    private func takeForm(_ route: Route) async -> Response {
        guard isForm, !request.isEncoded else { return notAForm(route) }
        guard request.isPersonal else { return prefetch(route) }
        // Only our own page can send the content of a fragment; browsers name the site of the form.
        if route.app.responseMode.carrier == .fragment, !request.isFromOwnSite {
            return CallbackAnswer(exchange: exchange, route: route).refuse(.wrongResponseMode)
        }
        return await arrive(ArrivedCallback(exchange, at: route, query: query, content: request.body))
    }

    /// The page that posts the fragment back to us. A response in the query came in another way than the app asked for.
    private func showRepostPage(_ route: Route) -> Response {
        guard request.isPersonal else { return prefetch(route) }
        let names = exchange.setup.parameterNames(of: route.app)
        guard !AuthorizationResponse.isHinted(in: query, names: names) else {
            return CallbackAnswer(exchange: exchange, route: route).refuse(.wrongResponseMode)
        }
        return exchange.page(.ok, .fragment)
    }

    private var query: [UInt8] { request.queryBytes.map(Array.init) ?? [] }

    private var isForm: Bool { request.mediaType == "application/x-www-form-urlencoded" }

    private func notAForm(_ route: Route) -> Response {
        told(.refused(.malformed), route) { exchange.refusal(.unsupportedContentType, $0) }
    }

    /// The request stays pending.
    private func prefetch(_ route: Route) -> Response { told(.prefetch, route) { _ in exchange.refusal(.prefetch) } }

    private func notAllowed(_ methods: String, _ route: Route) -> Response {
        told(.wrongMethod, route) { exchange.notAllowedPage(methods, $0) }
    }

    private func told(_ outcome: CallbackOutcome, _ route: Route, _ answer: (Reference) -> Response) -> Response {
        answer(exchange.events.report(outcome, app: route.app.id, from: exchange.caller))
    }
}

extension Request {
    /// Whether a person's top-level navigation may have made this request (rules: exactly once). A page can load an
    /// address as an image, by `fetch` or in a frame, unseen, so a callback that comes that way proves no consent.
    var isPersonal: Bool { !isPrefetch && isNavigation }
}
