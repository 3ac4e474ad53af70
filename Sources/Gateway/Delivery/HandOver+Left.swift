internal import SwitchyardConfiguration
internal import SwitchyardCrypto
internal import SwitchyardHandlers
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRouting

/// Callbacks that an earlier process, or another gateway, has left in the store.
extension HandOver {
    /// Goes on with a delivery, unless another gateway was faster. Only from a task of the worker's loop.
    static func goOn(with left: RequestRecord, on worker: GatewayWorker) async {
        let registry = worker.registry
        guard !worker.core.isStopping, let record = try? await registry.claimDelivery(left) else { return }
        // A missing key was reported already, and may come back.
        guard let packed = registry.deliveryContent(of: record) else { return }
        guard let content = DeliveryContent(packed: packed), let callback = callback(of: content, worker.setup) else {
            worker.core.events.tell(
                .delivered(
                    DeliveryReport(
                        app: record.app, reference: record.reference, handler: .webhook, result: .unreachable,
                        duration: .zero, caller: Caller(Peer.local(uid: nil)))))
            try? await registry.endDelivery(record)
            return
        }
        let end = worker.loop.now + (record.expiresAt - registry.now)
        let request = content.isOfRequest ? await callback.request(in: registry, worker.setup) : nil
        let handOver = HandOver(
            callback, of: request, from: Caller(Peer.local(uid: content.uid)), worker.setup, on: worker,
            goingOnWith: (record.reference, content))
        handOver.remember(
            content.digest, from: content.browser, (content.caller, content.network),
            worker.setup.configuration.limits, until: end)
        handOver.start(until: end, Signal(), goingOnWith: record)
    }

    /// nil where the app has no webhook any more, or another redirect URI.
    private static func callback(of content: DeliveryContent, _ setup: Setup) -> Callback? {
        guard let uri = try? RedirectURI(content.redirectURI), let route = setup.routes.route(uri.form),
            case .deliver(let handlers, _) = route.app.handler,
            case let webhooks = handlers.filter({ $0.kind == .webhook }), !webhooks.isEmpty
        else { return nil }
        // The browser or program that brought it no longer waits, so there is no last handler behind the webhook.
        let isRelayed = content.browser == nil
        let browser = ArrivingBrowser(
            secret: OutcomeCookie.makeSecret(), place: nil, cookies: .none, isCrossSitePost: false)
        return Callback(
            route: route, handlers: webhooks, last: nil, url: content.url, query: content.query, content: content.body,
            door: isRelayed ? .relay : CallbackDoor(route.app.responseMode.carrier),
            bearer: isRelayed ? .relay(uid: content.uid) : .browser(browser), activationToken: nil)
    }
}
