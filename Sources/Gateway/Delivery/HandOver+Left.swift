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
            worker.core.events.report(
                .delivered(
                    DeliveryReport(
                        app: record.app, reference: record.reference, handler: .webhook, result: .unreachable,
                        duration: .zero, caller: Caller(Peer.local(uid: nil)))))
            try? await registry.endDelivery(record)
            return
        }
        let end = worker.loop.now + (record.expiresAt - registry.now)
        let request = content.isOfRequest ? await callback.pendingRequest(in: registry, worker.setup) : nil
        // The browser or program that brought it no longer waits, so there is no last handler behind the webhook.
        let handOver = HandOver(
            callback, to: HandlerList(callback.webhooks, last: nil), of: request, worker.setup, on: worker,
            goingOnWith: (record.reference, content))
        handOver.remember(
            content.digest, from: content.browser, (content.caller, content.network),
            worker.setup.configuration.limits, until: end)
        handOver.start(until: end, Signal(), goingOnWith: record)
    }

    /// nil where the app has no webhook any more, or another redirect URI.
    private static func callback(of content: DeliveryContent, _ setup: Setup) -> ArrivedCallback? {
        guard let uri = try? RedirectURI(content.redirectURI), let route = setup.routes.route(uri.form) else {
            return nil
        }
        let browser = ArrivingBrowser(
            secret: CallbackCookie.makeSecret(), address: nil, cookies: .none, isCrossSitePost: false)
        let callback = ArrivedCallback(
            at: route, query: content.query, content: content.body, url: content.url,
            from: content.browser == nil ? .relay(uid: content.uid) : .browser(browser),
            Caller(Peer.local(uid: content.uid)))
        return callback.webhooks.isEmpty ? nil : callback
    }
}

extension ArrivedCallback {
    /// The webhooks of its app.
    fileprivate var webhooks: [Handler] { route.app.handlers.deliveries.filter { $0.deliveryName == .webhook } }
}
