internal import SwitchyardConfiguration
internal import SwitchyardCrypto
internal import SwitchyardHTTP
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRouting

/// Answers a browser that has brought an authorization response.
struct CallbackAnswer: Sendable {
    let exchange: Exchange
    let route: Route

    private var channel: CallbackChannel { CallbackChannel(route.app.responseMode.carrier) }

    /// Matches the callback with its request, and sends the browser to the page of the sign-in.
    /// - Parameter ifRefused: called before a refusal is answered. If the app's handlers were tried before, it lets the
    ///   callback come again.
    func answer(_ callback: ArrivedCallback, ifRefused: () async -> Void = {}) async -> Response {
        do {
            switch try await CallbackIntake(worker: exchange.worker, setup: exchange.setup).accept(callback) {
            case .claimed(let claimed):
                let record = claimed.record
                if record.held == nil, !record.isFinished { await awaitOutcome(of: claimed) }
                if let port = claimed.port {
                    return sendOn(record, to: port, callback.wholeQuery, claimed.secret)
                }
                var response = redirect(to: record, secret: claimed.secret)
                if let error = claimed.error {
                    IssuerWordsCookie.add(error, for: record, exchange.registry, to: &response)
                }
                return response
            case .repeated(let record, let secret, let port):
                exchange.events.report(
                    .repeated, app: route.app.id, record.reference, from: exchange.caller, by: channel, in: record.trace
                )
                if let port {
                    return sendOn(record, to: port, callback.wholeQuery, secret)
                }
                return redirect(to: record, secret: secret)
            case .needsCookie(let record): return await park(callback, record)
            }
        } catch {
            await ifRefused()
            var response = refuse(error.problem, error.reference, in: error.trace)
            // The store may still accept this callback. If the browser retries, this cookie lets it see the result.
            if let browser = error.lateBrowser {
                CallbackCookie.add(to: &response, refused: browser, exchange.registry, exchange.cookies)
            }
            return response
        }
    }

    /// - Parameters:
    ///   - reference: the request's, if it is known.
    ///   - trace: the trace of the request, or else of the callback.
    func refuse(_ problem: CallbackError, _ reference: Reference? = nil, in trace: TraceContext? = nil) -> Response {
        let shown = exchange.events.report(
            .refused(problem), app: route.app.id, reference, from: exchange.caller, by: channel, in: trace)
        if problem == .anotherBrowser, let reference {
            // The address holds a code, which has no business in a browser that it is not for.
            return .redirect(.seeOther, to: SignInPage.anotherBrowser(reference))
        }
        return exchange.refusal(problem.refusal, shown)
    }

    private func redirect(to record: RequestRecord, secret: Secret?) -> Response {
        var response = Response.redirect(.seeOther, to: Array("/done/\(record.reference)".utf8))
        if let secret { giveCookie(&response, record, secret) }
        return response
    }

    /// Gives this browser the cookie for the page of the sign-in, and takes away its start cookie.
    private func giveCookie(_ response: inout Response, _ record: RequestRecord, _ secret: Secret) {
        CallbackCookie.add(to: &response, secret: secret, for: record, exchange.cookies)
        StartCookie.drop(for: record, exchange, in: &response)
    }

    /// Sends the browser to its own machine with the response. A browser that does not follow gets the page.
    private func sendOn(_ record: RequestRecord, to port: UInt16, _ query: [UInt8], _ secret: Secret?) -> Response {
        let content = PageContent.passedOn(SignInSummary(record, route.app))
        var response = LoopbackHandler.answer(exchange, to: port, at: route, query, content)
        if let secret { giveCookie(&response, record, secret) }
        return response
    }

    /// Keeps the response and has the browser come again by GET, when it shows its cookies.
    private func park(_ callback: ArrivedCallback, _ record: RequestRecord) async -> Response {
        let parked = ParkedCallback(query: callback.query, content: callback.content ?? [])
        do {
            let handle = try await parked.park(for: record, in: exchange.registry)
            var response = Response.redirect(.seeOther, to: Array("/start/\(record.id)/\(handle)".utf8))
            ParkedCallback.addCookie(handle, for: record.id, exchange.registry, to: &response)
            return response
        } catch {
            return refuse(error, record.reference)
        }
    }

    private func awaitOutcome(of claimed: ClaimedRequest) async {
        let changes = exchange.registry.changes
        let watch = changes.watch(claimed.record.id, since: claimed.revision)
        defer { changes.stop(watch) }
        _ = try? await exchange.core.wait(
            on: watch, from: claimed.record, until: Instant.now() + Exchange.pageWait, while: { !$0.isFinished })
    }
}
