internal import SwitchyardConfiguration
internal import SwitchyardHTTP
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRouting

/// A browser that has brought an authorization response: what it is answered.
struct CallbackArrival: Sendable {
    let core: GatewayCore
    let worker: GatewayWorker

    /// How long the browser is kept until the outcome is known, so that its first page is usually its last.
    private static let patience = Duration.seconds(2)

    /// Gives the response its request, and sends the browser to the page of the sign-in.
    /// - Parameter isReturning: whether the browser comes from our own redirect and so has shown what cookies it has.
    func answer(
        _ request: Request, _ route: Route, _ caller: Caller, query: [UInt8], content: [UInt8]?, url: String,
        isReturning: Bool = false
    ) async -> Response {
        let browser = ArrivingBrowser(
            secret: OutcomeCookie.makeSecret(), place: PeerPlace(ofBrowser: caller, request), request: request,
            isCrossSitePost: content != nil && !isReturning)
        let callback = ArrivedCallback(
            route: route, query: query, content: content, url: url, bearer: .browser(browser))
        do {
            switch try await CallbackIntake(core: core, worker: worker).accept(callback) {
            case .claimed(let record, let secret):
                core.events.tellAccepted(record, app: route.app.id, from: caller)
                if record.held == nil { await awaitOutcome(of: record) }
                return Self.redirect(to: record, request, secret: secret)
            case .repeated(let record, let secret):
                core.events.tell(.repeated, app: route.app.id, record.reference, from: caller)
                return Self.redirect(to: record, request, secret: secret)
            case .needsCookie(let record): return park(callback, content ?? [], record, request, caller)
            }
        } catch {
            return refuse(error.problem, request, route, caller, error.reference)
        }
    }

    /// - Parameter reference: of the request, where it is known.
    func refuse(
        _ problem: CallbackProblem, _ request: Request, _ route: Route, _ caller: Caller, _ reference: Reference? = nil
    ) -> Response {
        core.events.tell(.refused(problem), app: route.app.id, reference, from: caller)
        let (status, refusal) = problem.answer
        var response = Response.page(status, .refused(refusal), to: request)
        if status == .serviceUnavailable { response.add("Retry-After", "5") }
        return response
    }

    private static func redirect(to record: RequestRecord, _ request: Request, secret: String?) -> Response {
        var response = Response.redirect(.seeOther, to: Array("/done/\(record.reference)".utf8))
        if let secret {
            OutcomeCookie.add(to: &response, secret: secret, for: record, request)
            StartCookie.drop(for: record, request, in: &response)
        }
        return response
    }

    /// Keeps the response and has the browser come again by GET, when it shows its cookies.
    private func park(
        _ callback: ArrivedCallback, _ content: [UInt8], _ record: RequestRecord, _ request: Request, _ caller: Caller
    ) -> Response {
        let parked = ParkedCallbacks.Parked(route: callback.route, query: callback.query, content: content)
        guard let handle = core.parked.park(parked, for: record, at: worker.loop.now) else {
            return refuse(.unavailable, request, callback.route, caller, record.reference)
        }
        return .redirect(.seeOther, to: Array("/start/\(record.id)/\(handle)".utf8))
    }

    private func awaitOutcome(of record: RequestRecord) async {
        _ = try? await core.wait(
            for: record.id, until: Instant.now() + Self.patience, while: { !$0.isFinished })
    }
}
