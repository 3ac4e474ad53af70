internal import SwitchyardConfiguration
internal import SwitchyardCrypto
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
    let last: LastHandler?

    /// The time a browser is kept until an app has taken the callback, so that its first page is usually its last.
    private static let pageWait = Duration.seconds(2)

    /// - Parameter url: the callback's URL for the last handler.
    func answer(query: [UInt8], content: [UInt8]?, url: String) async -> Response {
        let secret = OutcomeCookie.makeSecret()
        let door = CallbackDoor(route.app.responseMode.carrier)
        let browser = ArrivingBrowser(
            secret: secret, place: exchange.browserPlace, cookies: exchange.cookies, isCrossSitePost: false)
        let handOver = await HandOver(
            exchange,
            HandOver.Callback(
                route: route, handlers: handlers, last: last, url: Self.url(of: route, query, content), query: query,
                content: content, door: door, bearer: .browser(browser), activationToken: nil))
        do throws(CallbackProblem) {
            switch try await handOver.begin() {
            case .begun(let done):
                _ = await done.wait(
                    until: .now() + (last == nil ? Self.pageWait : HandOver.handlersLimit + Self.pageWait))
            case .repeated(let entry):
                let reference = entry.flatMap { Reference($0.reference) }
                let shown = exchange.events.tell(
                    .repeated, app: route.app.id, reference, from: exchange.caller, by: door)
                return Self.redirect(to: shown)
            case .leftToLast: break
            }
        } catch {
            return CallbackArrival(exchange: exchange, route: route).refuse(error)
        }
        if let last, handOver.outcome != .taken, handOver.outcome != .underWay {
            return await goOn(to: last, handOver, secret, url)
        }
        return page(of: handOver, secret)
    }

    /// Runs the last handler, because no other handler took the callback. It does the same as without the others.
    private func goOn(to last: LastHandler, _ handOver: HandOver, _ secret: Secret, _ url: String) async -> Response {
        if case .redirect(let target) = last {
            return RedirectHandler.answer(
                exchange.request, to: RedirectTarget(target), of: route, from: exchange.caller, exchange.worker,
                hasWaited: true)
        }
        // The state may be the app's own. Then only the app could have been asked.
        if handOver.outcome == .leftToLast, await isUnknown(handOver.callback) {
            await handOver.reopen()
            return page(of: handOver, secret)
        }
        return await CallbackArrival(exchange: exchange, route: route).answer(
            query: handOver.callback.query, content: handOver.callback.content, url: url, ifRefused: handOver.reopen)
    }

    /// Whether no request has the state of the callback. If the store cannot say, the next look-up decides.
    private func isUnknown(_ callback: HandOver.Callback) async -> Bool {
        do throws(CallbackProblem) {
            _ = try await exchange.registry.request(of: callback.response(exchange.setup), at: route)
            return false
        } catch {
            return error == .unknownState
        }
    }

    private func page(of handOver: HandOver, _ secret: Secret) -> Response {
        var response = Self.redirect(to: handOver.reference)
        OutcomeCookie.add(
            to: &response, secret: secret, for: handOver.reference,
            lifetime: exchange.setup.configuration.limits.requestLifetime, exchange.cookies)
        return response
    }

    private static func redirect(to reference: Reference) -> Response {
        .redirect(.seeOther, to: Array("/done/\(reference)".utf8))
    }

    /// The callback as one URL: the content of a form follows the question mark, where it means the same.
    private static func url(of route: Route, _ query: [UInt8], _ content: [UInt8]?) -> String {
        "\(route.redirectURI.text)?\(String(decoding: AuthorizationResponse.joined(query, content), as: UTF8.self))"
    }
}

extension PageContent {
    /// The page about a callback that was handed over.
    init(_ entry: DeliveryLedger.Entry, _ app: AppRegistration?) {
        let summary = SignInSummary(app: app?.name ?? entry.app, hostLabel: nil, reference: entry.reference)
        self =
            switch entry.outcome {
            case .underWay: .delivering(summary, refreshAfterSeconds: 2)
            case .taken: .delivered(summary)
            // A browser that was sent on has another page.
            case .notTaken, .leftToLast: .undelivered(summary)
            }
    }
}
