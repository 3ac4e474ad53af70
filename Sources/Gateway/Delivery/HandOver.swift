internal import SwitchyardConfiguration
internal import SwitchyardCrypto
internal import SwitchyardHandlers
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRouting
internal import Synchronization

/// A callback on its way to an app that keeps its own state and redeems by itself. It needs no request.
final class HandOver: Sendable {
    enum Start: Sendable {
        /// It is on its way.
        case begun(done: Signal)
        /// The same one came before.
        /// - Parameter entry: its entry in the ledger; nil where another gateway has it, or had it in an earlier life
        ///   of this one.
        case repeated(DeliveryLedger.Entry?)
        /// The same one came before, and went to the last handler, which recognizes it.
        case leftToLast
    }

    let callback: ArrivedCallback
    private let handlers: HandlerList
    private let worker: GatewayWorker
    private let setup: Setup
    /// The request of the callback; nil if the app keeps its own state.
    private let request: RequestRecord?
    private let state: Mutex<State>

    /// Only ``begin()`` changes it.
    private struct State {
        var reference: Reference
        /// The store's entry that it is handed over; nil before it is.
        var entry: RequestRegistry.HandOverEntry?
        /// The content for the store; nil if the store keeps no content of it.
        var content: DeliveryContent?
    }

    /// The time limit of all handlers together, before the last handler's turn: the browser or program that brought the
    /// callback waits.
    static let handlersLimit = Duration.seconds(25)

    /// - Parameters:
    ///   - handlers: the app's, as far as they can take a callback of this source.
    ///   - request: the request of the callback, if the gateway knows one. Both then share one history.
    init(
        _ callback: ArrivedCallback, to handlers: HandlerList, of request: RequestRecord?, _ setup: Setup,
        on worker: GatewayWorker, goingOnWith kept: (reference: Reference, content: DeliveryContent)? = nil
    ) {
        self.callback = callback
        self.handlers = handlers
        self.request = request
        self.setup = setup
        self.worker = worker
        // Only a delivery to a webhook is kept, and no handler can stand behind one.
        let entry = kept.map {
            worker.registry.handOverEntry($0.content.digest, mayGoOn: false, until: $0.content.markedUntil)
        }
        state = Mutex(
            State(
                reference: kept?.reference ?? request?.reference ?? Reference(), entry: entry, content: kept?.content))
    }

    /// For a callback that came to this gateway just now.
    convenience init(_ callback: ArrivedCallback, to handlers: HandlerList, _ exchange: Exchange) async {
        let holdsRequests = callback.route.app.handlers.holdsRequests
        let request = holdsRequests ? await callback.pendingRequest(in: exchange.registry, exchange.setup) : nil
        self.init(callback, to: handlers, of: request, exchange.setup, on: exchange.worker)
    }

    /// The reference of the callback in the log, in its history and on its page.
    var reference: Reference { state.withLock(\.reference) }

    private var core: GatewayCore { worker.core }
    private var registry: RequestRegistry { worker.registry }
    private var app: AppRegistration { callback.route.app }
    private var caller: Caller { callback.caller }

    /// The outcome of the callback; nil when it is no longer known.
    var outcome: DeliveryLedger.Outcome? {
        core.deliveries.entry(reference, now: worker.loop.now)?.outcome
    }

    /// Whether no app has the callback or may still get it, so the last handler is to have it. If the outcome is not known
    /// here, another gateway goes on with the delivery.
    var isLeftToLast: Bool {
        switch outcome {
        case .leftToLast, .notTaken: true
        case .taken, .underWay, nil: false
        }
    }

    /// Checks the callback as far as possible without its request, and begins to hand it over.
    /// - Throws: ``CallbackError``; then nothing has changed.
    func begin() async throws(CallbackError) -> Start {
        let digest = try digest()
        let limits = setup.configuration.limits
        let end = worker.loop.now + limits.requestLifetime
        var noted = note(digest, limits, until: end)
        if case .referenceInUse = noted {
            state.withLock { $0.reference = Reference() }
            noted = note(digest, limits, until: end)
        }
        switch noted {
        case .repeated(let entry): return entry.outcome == .leftToLast ? .leftToLast : .repeated(entry)
        case .full(let limit):
            core.events.report(.limited(limit.gatewayLimit, app: app.id, from: caller))
            throw .unavailable
        case .referenceInUse: throw .unavailable
        case .new: break
        }
        do throws(StoreError) {
            let handedOver = try await registry.noteHandedOver(
                digest, mayGoOn: handlers.last != nil, lifetime: limits.requestLifetime)
            switch handedOver {
            case .new(let entry):
                let content = makeContent(digest, entry)
                state.withLock { ($0.entry, $0.content) = (entry, content) }
            case .came:
                // It is under way, or an app has it: the last handler must not get it as well.
                core.deliveries.forget(reference)
                return .repeated(nil)
            case .wentOn:
                core.deliveries.forget(reference)
                return .leftToLast
            }
        } catch {
            core.deliveries.forget(reference)
            throw .unavailable
        }
        core.events.reportTaken(
            reference, app: app.id, from: caller, by: callback.channel, isOfRequest: reference == request?.reference)
        let done = Signal()
        start(until: handlers.last == nil ? end : min(end, .now() + Self.handlersLimit), done)
        return .begun(done: done)
    }

    /// Lets the callback come again, because the last handler has not taken it either.
    func reopen() async {
        guard outcome == .leftToLast else { return }
        await end(.notTaken)
    }

    /// The digest of the callback's whole content and of its redirect URI.
    private func digest() throws(CallbackError) -> SHA256Digest {
        let fingerprint = try callback.fingerprint(setup)
        return SHA256Digest(of: Array("\(app.id) \(callback.route.redirectURI.text) ".utf8) + fingerprint.bytes)
    }

    private func note(
        _ digest: SHA256Digest, _ limits: Limits, until end: Instant
    ) -> DeliveryLedger.Admission {
        remember(
            digest, from: callback.source.browserHash, (caller.key.text, caller.key.network.text), limits, until: end)
    }

    /// Notes it in the ledger, for its page and against a second hand-over.
    @discardableResult
    func remember(
        _ digest: SHA256Digest, from browser: SHA256Digest?, _ caller: (key: String, network: String), _ limits: Limits,
        until end: Instant
    ) -> DeliveryLedger.Admission {
        core.deliveries.begin(
            digest, reference: reference, app: app.id, browser: browser, caller: caller.key,
            network: caller.network, until: end, now: worker.loop.now,
            capacity: DeliveryLedger.Capacity(
                total: limits.requests, perApp: limits.requestsPerApp, perAddress: limits.requestsPerAddress,
                perNetwork: limits.requestsPerNetwork))
    }

    /// The content that another process needs to continue the delivery; nil if the store keeps no content of it. A
    /// callback that another gateway carries is kept by that gateway. Only a webhook is tried for long.
    private func makeContent(_ digest: SHA256Digest, _ entry: RequestRegistry.HandOverEntry) -> DeliveryContent? {
        guard setup.configuration.store.outlivesProcess,
            handlers.deliveries.contains(where: { $0.deliveryName == .webhook })
        else { return nil }
        if case .gateway = callback.source { return nil }
        return DeliveryContent(
            messageID: Delivery.makeMessageID(), redirectURI: callback.route.redirectURI.text, url: callback.wholeURL,
            query: callback.query, body: callback.content, digest: digest, markedUntil: entry.until,
            browser: callback.source.browserHash, uid: caller.uid,
            isOfRequest: reference == request?.reference, caller: caller.key.text, network: caller.key.network.text)
    }

    /// Continues behind the answer to the browser or program that brought the callback. A stopping gateway waits for
    /// it.
    /// - Parameter record: the record of a callback that this gateway has taken up; nil for one that has just come.
    func start(until end: Instant, _ done: Signal, goingOnWith record: RequestRecord? = nil) {
        let (core, worker) = (core, worker)
        let content = state.withLock(\.content)
        let keeper = DeliveryKeeper(content, record, of: app.id, reference, until: end, on: worker)
        let delivery = makeDelivery(content?.messageID ?? Delivery.makeMessageID(), until: end, keeper)
        core.work.start(on: worker.loop) { [self] in
            let taker = await DeliveryOrder.first(of: handlers.deliveries, until: delivery.end) { handler in
                await attempt(delivery, by: handler, keeper)
            }
            guard !keeper.isLeft else {
                core.deliveries.forget(reference)
                return done.raise()
            }
            await keeper.finish()
            await self.end(taker != nil ? .taken : handlers.last != nil ? .leftToLast : .notTaken)
            // A browser's page need not wait for the request. A gateway that carries the callback needs to know how the
            // request ended.
            if case .gateway = callback.source {} else { done.raise() }
            if let taker = taker?.deliveryName, app.handlers.holdsRequests || request != nil {
                await CallbackIntake(worker: worker, setup: setup).end(callback, takenBy: taker)
            }
            done.raise()
        }
    }

    private func makeDelivery(_ messageID: String, until end: Instant, _ keeper: DeliveryKeeper) -> Delivery {
        var delivery = Delivery(
            app: app.id, reference: reference, url: Secret(callback.wholeURL),
            activationToken: callback.activationToken, end: end, messageID: messageID)
        let (ledger, reference) = (core.deliveries, delivery.reference)
        delivery.mayTry = { keeper.mayTry && !ledger.isGivenUp(reference) }
        delivery.whenSetBack = { [self] result, duration in
            // A waiting delivery must not block new ones. The receiver may refuse a foreign sign-in for as long as it
            // lasts.
            ledger.setBack(reference)
            keeper.noteSetback()
            report(.webhook, result, duration, setbacks: keeper.setbacks)
        }
        delivery.whenRefusedForGood = { keeper.noteRefusedForGood() }
        return delivery
    }

    private func attempt(
        _ delivery: Delivery, by handler: Handler, _ keeper: DeliveryKeeper
    ) async -> DeliveryResult {
        if case .webhook = handler { await keeper.keep() }
        guard !keeper.isLeft else { return .busy }
        let begin = Instant.now()
        let result = await worker.handlers.deliver(delivery, by: handler)
        if await keeper.leaves(after: result) { return result }
        if let name = handler.deliveryName { report(name, result, .now() - begin) }
        return result
    }

    /// - Parameter setbacks: the number of failed tries, with this one; 0 if no other try follows.
    private func report(
        _ handler: DeliveryName, _ result: DeliveryResult, _ duration: Duration, setbacks: Int = 0
    ) {
        core.events.report(
            .delivered(
                DeliveryReport(
                    app: app.id, reference: reference, handler: handler, result: result, duration: duration,
                    caller: caller, setbacks: setbacks)))
    }

    private func end(_ outcome: DeliveryLedger.Outcome) async {
        if let entry = state.withLock(\.entry) {
            // A store that is out keeps the entry as it is, and the callback counts as handed over.
            switch outcome {
            case .notTaken: try? await registry.forget(entry)
            case .leftToLast: try? await registry.noteGoneOn(entry)
            case .taken, .underWay: break
            }
        }
        core.deliveries.end(reference, outcome)
    }
}

extension DeliveryLedger.Limit {
    fileprivate var gatewayLimit: GatewayLimit {
        switch self {
        case .total: .requests
        case .perApp: .requestsPerApp
        case .perAddress: .requestsPerAddress
        case .perNetwork: .requestsPerNetwork
        }
    }
}
