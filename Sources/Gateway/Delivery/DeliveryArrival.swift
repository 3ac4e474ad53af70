internal import SwitchyardConfiguration
internal import SwitchyardHTTP
internal import SwitchyardHandlers
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRouting

/// A browser that has brought a callback for an app that keeps its own state: what it is answered.
struct DeliveryArrival: Sendable {
    let exchange: Exchange
    let route: Route
    let handlers: [DeliveryHandler]

    /// How long the browser is kept until it is known who took it, so that its first page is usually its last.
    private static let patience = Duration.seconds(2)

    func answer(query: [UInt8], content: [UInt8]?) async -> Response {
        // There is no state here that only a sign-in can know: what a page loads for itself, as a picture or in a frame, must not
        // start programs.
        guard exchange.request.isNavigation else {
            exchange.events.tell(.prefetch, app: route.app.id, from: exchange.caller)
            return exchange.refusal(.prefetch)
        }
        let secret = OutcomeCookie.makeSecret()
        let callback = HandOver.Callback(
            route: route, handlers: handlers, url: Self.url(of: route, query, content), query: query, content: content,
            caller: exchange.caller, door: CallbackDoor(route.app.responseMode.carrier), browserSecret: secret,
            activationToken: nil)
        do throws(CallbackProblem) {
            switch try HandOver(worker: exchange.worker, setup: exchange.setup).take(callback) {
            case .begun(let reference, let done):
                _ = await done.wait(until: .now() + Self.patience)
                var response = Self.redirect(to: "\(reference)")
                OutcomeCookie.add(
                    to: &response, secret: secret, for: reference, RequestID(),
                    lifetime: exchange.setup.configuration.limits.requestLifetime, exchange.cookies)
                return response
            case .repeated(let entry):
                exchange.events.tell(
                    .repeated, app: route.app.id, Reference(entry.reference[...]), from: exchange.caller,
                    by: CallbackDoor(route.app.responseMode.carrier))
                return Self.redirect(to: entry.reference)
            }
        } catch {
            return CallbackArrival(exchange: exchange, route: route).refuse(error)
        }
    }

    private static func redirect(to reference: String) -> Response {
        .redirect(.seeOther, to: Array("/done/\(reference)".utf8))
    }

    /// The callback as one URL: what came in a form stands behind the question mark, where it means the same.
    private static func url(of route: Route, _ query: [UInt8], _ content: [UInt8]?) -> String {
        let parts = [query, content ?? []].filter { !$0.isEmpty }
        return "\(route.redirectURI.text)?\(String(decoding: Array(parts.joined(separator: "&".utf8)), as: UTF8.self))"
    }
}

extension Request {
    /// Whether the browser's whole page goes there, as far as browsers say so.
    fileprivate var isNavigation: Bool {
        [nil, "navigate"].contains(field("sec-fetch-mode")) && [nil, "document"].contains(field("sec-fetch-dest"))
    }
}

extension PageContent {
    /// What became of a callback that was handed over.
    init(_ entry: DeliveryLedger.Entry, _ app: AppRegistration?) {
        let summary = SignInSummary(app: app?.name ?? entry.app, hostLabel: nil, reference: entry.reference)
        self =
            switch entry.outcome {
            case .underWay: .delivering(summary, refreshAfterSeconds: 2)
            case .taken: .delivered(summary)
            case .notTaken: .undelivered(summary)
            }
    }
}
