internal import SwitchyardConfiguration
internal import SwitchyardCrypto
internal import SwitchyardHandlers
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRouting
internal import Synchronization

/// One callback on its way to an app that keeps its own state: no request is needed, and what is redeemed is the app's business.
final class HandOver: Sendable {
    /// What came, and for whom.
    struct Callback: Sendable {
        let route: Route
        let handlers: [DeliveryHandler]
        /// What it is for when none of them takes it; nil where that is its end.
        let last: LastHandler?
        /// As the app gets it.
        let url: String
        let query: [UInt8]
        let content: [UInt8]?
        let door: CallbackDoor
        /// The secret of the browser that brought it; nil for a program.
        let browserSecret: String?
        let activationToken: String?
    }

    enum Answer: Sendable {
        /// It is on its way.
        case begun(done: Signal)
        /// The same one came before.
        /// - Parameter entry: what is known of it; nil where another gateway has it, or had it in an earlier life of this one.
        case repeated(DeliveryLedger.Entry?)
        /// The same one came before, and went on to what stands behind the handlers; that knows it again.
        case leftToLast
    }

    let callback: Callback
    /// By which it is found in the log, in its history and by its page.
    let reference = Reference()
    private let exchange: Exchange
    private let mark = Mutex<RequestRegistry.HandedOverMark?>(nil)

    /// How long handlers have together before what stands behind them has its turn: whoever brought the callback waits.
    static let patience = Duration.seconds(25)

    init(_ exchange: Exchange, _ callback: Callback) {
        self.exchange = exchange
        self.callback = callback
    }

    private var core: GatewayCore { exchange.core }
    private var app: AppRegistration { callback.route.app }

    /// What became of it; nil when that is no longer known.
    var outcome: DeliveryLedger.Outcome? {
        core.deliveries.entry("\(reference)", now: exchange.worker.loop.now)?.outcome
    }

    /// Checks the callback as far as that can be done without its request, and begins to hand it over.
    /// - Throws: ``CallbackProblem``; then nothing has changed.
    func begin() async throws(CallbackProblem) -> Answer {
        let digest = try digest()
        let limits = exchange.setup.configuration.limits
        let end = exchange.worker.loop.now + limits.requestLifetime
        switch note(digest, limits, until: end) {
        case .repeated(let entry): return entry.outcome == .leftToLast ? .leftToLast : .repeated(entry)
        case .full(let limit):
            core.events.tell(.limited(limit.gatewayLimit, app: app.id.text, from: exchange.caller))
            throw .unavailable
        case .new: break
        }
        do throws(StoreFailure) {
            let mark = try await exchange.registry.markHandedOver(digest, lifetime: limits.requestLifetime)
            guard let mark else {
                core.deliveries.forget("\(reference)")
                return callback.last == nil ? .repeated(nil) : .leftToLast
            }
            self.mark.withLock { $0 = mark }
        } catch {
            core.deliveries.forget("\(reference)")
            throw .unavailable
        }
        core.events.tellTaken(reference, app: app.id, from: exchange.caller, by: callback.door)
        let done = Signal()
        start(until: callback.last == nil ? end : min(end, .now() + Self.patience), done)
        return .begun(done: done)
    }

    /// What stands behind the handlers has not taken it either: it may come again.
    func reopen() async {
        guard outcome == .leftToLast else { return }
        await end(.notTaken)
    }

    /// Of everything that it says, and of where it came.
    private func digest() throws(CallbackProblem) -> SHA256Digest {
        let uri = callback.route.redirectURI
        do throws(AuthorizationResponseError) {
            let response = try UncheckedResponse(
                query: callback.query, content: callback.content, isSigned: app.responseMode.isSigned, at: uri.form)
            return SHA256Digest(of: Array("\(app.id) \(uri.text) ".utf8) + response.fingerprint.bytes)
        } catch {
            throw CallbackProblem(error)
        }
    }

    private func note(
        _ digest: SHA256Digest, _ limits: Limits, until end: Instant
    ) -> DeliveryLedger.Answer {
        core.deliveries.begin(
            digest, reference: "\(reference)", app: app.id.text,
            browser: callback.browserSecret.map { SHA256Digest(of: $0) }, caller: exchange.caller.key.text,
            until: end, now: exchange.worker.loop.now,
            room: DeliveryLedger.Room(
                total: limits.requests, perApp: limits.requestsPerApp, perAddress: limits.requestsPerAddress))
    }

    /// Goes on behind the answer to whoever brought the callback, and is waited for when the gateway stops.
    private func start(until end: Instant, _ done: Signal) {
        let (core, worker, caller, reference) = (core, exchange.worker, exchange.caller, reference)
        let delivery = Delivery(
            app: app.id.text, reference: "\(reference)", url: Secret(callback.url),
            activationToken: callback.activationToken, end: end)
        core.work.begin()
        worker.loop.start { [self] in
            let taker = await DeliveryOrder.first(of: callback.handlers, until: delivery.end) { handler in
                let begin = Instant.now()
                let result = await worker.handlers.deliver(delivery, by: handler)
                core.events.tell(
                    .delivered(
                        DeliveryReport(
                            app: delivery.app, reference: reference, handler: handler.kind, result: result,
                            duration: .now() - begin, caller: caller)))
                return result
            }
            await self.end(taker != nil ? .taken : callback.last != nil ? .leftToLast : .notTaken)
            done.raise()
            if let taker, app.handler.holdsRequests { await endRequest(takenBy: taker.kind) }
            core.work.end()
        }
    }

    private func end(_ outcome: DeliveryLedger.Outcome) async {
        if outcome == .notTaken, let mark = mark.withLock(\.self) {
            // A store that is out keeps the mark, and the callback counts as handed over.
            try? await exchange.registry.forget(mark)
        }
        core.deliveries.end("\(reference)", outcome)
    }

    /// The request that the callback belongs to, where there is one, has nothing more to wait for.
    private func endRequest(takenBy handler: DeliveryHandler.Kind) async {
        let browser = callback.browserSecret.map {
            ArrivingBrowser(secret: $0, place: exchange.browserPlace, cookies: exchange.cookies, isCrossSitePost: false)
        }
        let arrived = ArrivedCallback(
            route: callback.route, query: callback.query, content: callback.content, url: callback.url,
            bearer: browser.map { .browser($0) } ?? .relay(uid: exchange.caller.uid))
        await CallbackIntake(worker: exchange.worker, setup: exchange.setup).end(arrived, takenBy: handler)
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
