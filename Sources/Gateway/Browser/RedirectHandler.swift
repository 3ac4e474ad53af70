internal import SwitchyardHTTP
internal import SwitchyardRouting

/// Pure dispatch: the browser is sent on to the app's own address with the query as it came. No request is held, so beside
/// the method only one thing counts: a person's navigation must have brought the callback.
enum RedirectHandler {
    /// - Parameters:
    ///   - target: the app's registered address. No part of the request chooses it (rules: no open redirect).
    ///   - hasWaited: whether the code has waited since the route was found: a reload may have come meanwhile.
    static func answer(
        _ request: Request, to target: RedirectTarget, of route: Route, from caller: Caller, _ worker: GatewayWorker,
        hasWaited: Bool
    ) -> Response {
        let (app, events) = (route.app, worker.core.events)
        switch request.method {
        case .get:
            guard request.isPersonal else {
                events.report(.prefetch, app: app.id, from: caller)
                return .refusal(.prefetch, of: worker.setup.pages, to: request)
            }
            if hasWaited {
                worker.counters.dispatched(app: app.id)
            } else {
                worker.counters.dispatched(app: route.appNumber)
            }
            events.reportDispatch(to: app)
            guard let query = request.queryBytes else { return .redirect(.found, to: target.withoutQuery) }
            return .redirect(.found, to: target.beforeQuery, query)
        case .head:
            events.report(.prefetch, app: app.id, from: caller)
            return .noContent()
        default:
            let reference = events.report(.wrongMethod, app: app.id, from: caller)
            return .notAllowed("GET, HEAD", reference, of: worker.setup.pages, to: request)
        }
    }
}
