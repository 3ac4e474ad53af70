internal import SwitchyardConfiguration
internal import SwitchyardCrypto
internal import SwitchyardHandlers
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRouting

/// Hands callbacks over to apps that keep their own state: no request is looked for, and what is redeemed is the app's business.
struct HandOver: Sendable {
    let worker: GatewayWorker
    let setup: Setup

    /// A callback for such an app.
    struct Callback: Sendable {
        let route: Route
        let handlers: [DeliveryHandler]
        /// As the app gets it.
        let url: String
        let query: [UInt8]
        let content: [UInt8]?
        let caller: Caller
        let door: CallbackDoor
        /// The secret of the browser that brought it; nil for a program.
        let browserSecret: String?
        let activationToken: String?
    }

    enum Answer: Sendable {
        /// It is on its way.
        case begun(Reference, done: Signal)
        /// The same one came before.
        case repeated(DeliveryLedger.Entry)
    }

    /// Checks a callback as far as that can be done without its request, and begins to hand it over.
    /// - Throws: ``CallbackProblem``; then nothing has changed.
    func take(_ callback: Callback) throws(CallbackProblem) -> Answer {
        let app = callback.route.app
        let response: UncheckedResponse
        do throws(AuthorizationResponseError) {
            response = try UncheckedResponse(
                query: callback.query, content: callback.content, isSigned: app.responseMode.isSigned,
                at: callback.route.redirectURI.form)
        } catch {
            throw CallbackProblem(error)
        }
        let reference = Reference()
        let now = worker.loop.now
        let limits = setup.configuration.limits
        let end = now + limits.requestLifetime
        let place = Array("\(app.id) \(callback.route.redirectURI.text) ".utf8)
        let answer = worker.core.deliveries.begin(
            SHA256Digest(of: place + response.fingerprint.bytes), reference: "\(reference)", app: app.id.text,
            browser: callback.browserSecret.map { SHA256Digest(of: $0) }, caller: callback.caller.key.text,
            until: end, now: now,
            room: DeliveryLedger.Room(
                total: limits.requests, perApp: limits.requestsPerApp, perAddress: limits.requestsPerAddress))
        switch answer {
        case .repeated(let entry): return .repeated(entry)
        case .full(let limit):
            worker.core.events.tell(.limited(limit.gatewayLimit, app: app.id.text, from: callback.caller))
            throw .unavailable
        case .new: break
        }
        worker.core.events.tellTaken(reference, app: app.id, from: callback.caller, by: callback.door)
        let delivery = Delivery(
            app: app.id.text, reference: "\(reference)", url: Secret(callback.url),
            activationToken: callback.activationToken, end: end)
        let done = Signal()
        begin(delivery, reference, callback.handlers, callback.caller, done)
        return .begun(reference, done: done)
    }

    /// Goes on behind the answer to whoever brought the callback, and is waited for when the gateway stops.
    private func begin(
        _ delivery: Delivery, _ reference: Reference, _ handlers: [DeliveryHandler], _ caller: Caller, _ done: Signal
    ) {
        let (core, worker) = (worker.core, worker)
        core.work.begin()
        worker.loop.start {
            let taker = await DeliveryOrder.first(of: handlers, until: delivery.end) { handler in
                let begin = Instant.now()
                let result = await worker.handlers.deliver(delivery, by: handler)
                core.events.tell(
                    .delivered(
                        DeliveryReport(
                            app: delivery.app, reference: reference, handler: handler.kind, result: result,
                            duration: .now() - begin, caller: caller)))
                return result
            }
            core.deliveries.end(delivery.reference, taker == nil ? .notTaken : .taken)
            done.raise()
            core.work.end()
        }
    }
}

extension DeliveryLedger.Limit {
    fileprivate var gatewayLimit: GatewayLimit {
        switch self {
        case .total: .requests
        case .perApp: .requestsPerApp
        case .perAddress: .requestsPerAddress
        }
    }
}
