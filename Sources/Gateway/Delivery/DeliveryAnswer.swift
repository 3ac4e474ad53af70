internal import SwitchyardConfiguration
internal import SwitchyardCrypto
internal import SwitchyardHTTP
internal import SwitchyardHandlers
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRouting

/// Answers a browser that has brought a callback for an app that keeps its own state.
struct DeliveryAnswer: Sendable {
    let exchange: Exchange

    func answer(_ callback: ArrivedCallback) async -> Response {
        let (route, last) = (callback.route, callback.route.app.handlers.last)
        let handOver = await HandOver(callback, to: route.app.handlers, exchange)
        let isLeftToLast: Bool
        do throws(CallbackError) {
            switch try await handOver.begin() {
            case .begun(let done):
                _ = await done.wait(
                    until: .now() + (last == nil ? Exchange.pageWait : HandOver.handlersLimit + Exchange.pageWait))
                isLeftToLast = handOver.isLeftToLast
            case .repeated(let entry):
                let shown = exchange.events.report(
                    .repeated, app: route.app.id, entry?.reference, from: exchange.caller, by: callback.channel)
                return Self.redirect(to: shown)
            case .leftToLast: isLeftToLast = true
            }
        } catch {
            return CallbackAnswer(exchange: exchange, route: route).refuse(error)
        }
        if let last, isLeftToLast { return await goOn(to: last, handOver) }
        return page(of: handOver)
    }

    /// Runs the last handler, because no other handler took the callback.
    private func goOn(to last: Handler, _ handOver: HandOver) async -> Response {
        let callback = handOver.callback
        if case .redirect(let target) = last {
            return RedirectHandler.answer(
                exchange.request, to: RedirectTarget(target), of: callback.route, from: exchange.caller,
                exchange.worker,
                hasWaited: true)
        }
        // The state may be the app's own. Then only the app could have been asked.
        if handOver.outcome == .leftToLast, await isUnknown(callback) {
            await handOver.reopen()
            return page(of: handOver)
        }
        return await CallbackAnswer(exchange: exchange, route: callback.route).answer(
            callback, ifRefused: handOver.reopen)
    }

    /// Whether no request has the state of the callback. If the store cannot say, the next look-up decides.
    private func isUnknown(_ callback: ArrivedCallback) async -> Bool {
        do throws(CallbackError) {
            _ = try await exchange.registry.request(of: callback, exchange.setup)
            return false
        } catch {
            return error == .unknownState
        }
    }

    private func page(of handOver: HandOver) -> Response {
        var response = Self.redirect(to: handOver.reference)
        if let secret = handOver.callback.source.secret {
            CallbackCookie.add(
                to: &response, secret: secret, for: handOver.reference,
                lifetime: exchange.setup.configuration.limits.requestLifetime, exchange.cookies)
        }
        return response
    }

    private static func redirect(to reference: Reference) -> Response {
        .redirect(.seeOther, to: Array("/done/\(reference)".utf8))
    }
}

extension PageContent {
    /// The page about a callback that was handed over.
    init(_ entry: DeliveryLedger.Entry, _ app: AppRegistration?) {
        let summary = SignInSummary(
            app: app?.name ?? entry.app.text, hostLabel: nil, reference: entry.reference, branding: app?.branding)
        self =
            switch entry.outcome {
            case .underWay: .delivering(summary)
            case .taken: .delivered(summary)
            // The last handler's outcome has a page of its own.
            case .notTaken, .leftToLast: .undelivered(summary)
            }
    }
}
