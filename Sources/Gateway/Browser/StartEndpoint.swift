internal import SwitchyardConfiguration
internal import SwitchyardCrypto
internal import SwitchyardHTTP
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRedemption
internal import SwitchyardRouting

/// `/start/{id}`: binds the sign-in to the browser, and sends it to the issuer. A browser that is elsewhere than the
/// program that asked is shown first who asks (rule 8).
///
/// `/start/{id}/{handle}` is where a browser comes again with a response that it brought by POST.
struct StartEndpoint: Sendable {
    let core: GatewayCore
    let worker: GatewayWorker

    func respond(to request: Request, path: Substring) async -> Response {
        let parts = path.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let id = RequestID(first) else {
            return .page(.notFound, .refused(.notFound), to: request)
        }
        let handle = parts.count == 2 ? parts[1] : nil
        switch request.method {
        case .get where request.isPrefetch: return .page(.serviceUnavailable, .refused(.prefetch), to: request)
        case .get: break
        case .head: return .noContent()
        case .post where handle == nil: return await NotMe(core: core, worker: worker).answer(request, start: id)
        default: return .notAllowed(handle == nil ? "GET, HEAD, POST" : "GET, HEAD", to: request)
        }
        let caller = Caller(request, trusting: worker.setup.configuration.trustedProxies)
        if let handle { return await bringBack(handle, id, request, caller) }
        guard let found = await core.attempt({ () async throws(StoreFailure) in try await core.registry.find(.id(id)) })
        else { return Self.unavailable(request) }
        guard let record = found else { return .page(.notFound, .refused(.notFound), to: request) }
        guard case .pending = record.phase, let app = worker.setup.routes.app(record.app) else {
            let hasExpired = if case .expired = record.outcome?.kind { true } else { false }
            return .page(.gone, .refused(hasExpired ? .expired : .ended), to: request)
        }
        guard let issuer = worker.setup.issuer(of: app), let metadata = try? await worker.redeemer.metadata(for: issuer)
        else { return Self.unavailable(request) }
        // In response mode without a challenge the app composes the request, and there is nothing to start here.
        guard let url = authorizationURL(record, app, metadata) else {
            return .page(.notFound, .refused(.notFound), to: request)
        }
        return start(record, app, url, request, caller)
    }

    private func start(
        _ record: RequestRecord, _ app: AppRegistration, _ url: String, _ request: Request, _ caller: Caller
    ) -> Response {
        let isStarted = StartCookie.isHeld(by: request, for: record.id, core.registry)
        let place = PeerPlace(ofBrowser: caller, request)
        let isElsewhere = place == nil || place != PeerPlace(of: record.beginner)
        let asked = StartCookie.value(in: request, for: record.id, .asked, core.registry)
        if app.release != .none, isElsewhere, !isStarted, !isConfirmed(request, asked) {
            return confirm(record, app, request, place, asked)
        }
        core.events.tell(.started, of: record)
        var response = Response.redirect(.seeOther, to: Array(url.utf8))
        if !isStarted {
            let value = StartCookie.makeValue(for: record, .start, core.registry)
            StartCookie.add(value, for: record, request, to: &response)
        }
        return response
    }

    // MARK: Who asks

    /// A page of ours stands before the issuer's, with a link that only this browser can have. The cookie that comes with
    /// it is not yet the one of a browser in which the sign-in was started.
    private func confirm(
        _ record: RequestRecord, _ app: AppRegistration, _ request: Request, _ place: PeerPlace?, _ asked: Substring?
    ) -> Response {
        // A second tab does not make the first one's link void.
        let value = asked.map(String.init) ?? StartCookie.makeValue(for: record, .asked, core.registry)
        let path = "/start/\(record.id)"
        let content = PageContent.confirmStart(
            SignInSummary(record, app), Asker(record, seenFrom: place),
            continueURL: "\(path)?confirm=\(Self.confirmation(value))", action: path)
        var response = Response.page(.ok, content, to: request)
        StartCookie.add(value, for: record, request, to: &response)
        return response
    }

    /// Follows from the cookie, so that nobody can send a link that skips the page.
    private static func confirmation(_ cookie: some StringProtocol) -> String {
        Base64URL.encode(Array(SHA256Digest(of: "confirm \(cookie)").bytes.prefix(16)))
    }

    private func isConfirmed(_ request: Request, _ cookie: Substring?) -> Bool {
        guard let cookie, let query = request.queryBytes else { return false }
        let expected = "confirm=\(Self.confirmation(cookie))"
        return constantTimeEqual(Array(query), Array(expected.utf8))
    }

    private static func unavailable(_ request: Request) -> Response {
        var response = Response.page(.serviceUnavailable, .refused(.unavailable), to: request)
        response.add("Retry-After", "5")
        return response
    }

    private func authorizationURL(
        _ record: RequestRecord, _ app: AppRegistration, _ metadata: IssuerMetadata
    ) -> String? {
        guard let secrets = core.registry.secrets(of: record), let redirectURI = try? RedirectURI(record.redirectURI)
        else { return nil }
        return AuthorizationURL.compose(
            secrets, scope: Scopes(parsing: record.scope), redirectURI: redirectURI, app: app, metadata)
    }

    // MARK: Coming again

    private func bringBack(
        _ handle: Substring, _ id: RequestID, _ request: Request, _ caller: Caller
    ) async -> Response {
        guard let parked = core.parked.find(handle, for: id, at: worker.loop.now) else {
            return .page(.gone, .refused(.expired), to: request)
        }
        let arrival = CallbackArrival(core: core, worker: worker)
        // What it costs to judge the response is spent on the browser that can show the cookie.
        let record =
            await core.attempt { () async throws(StoreFailure) in try await core.registry.find(.id(id)) } ?? nil
        let isKnown = record.map { OutcomeCookie.isHeld(by: request, for: $0) } ?? false
        guard isKnown || StartCookie.isHeld(by: request, for: id, core.registry) else {
            return arrival.refuse(.anotherBrowser, request, parked.route, caller, record?.reference)
        }
        return await arrival.answer(
            request, parked.route, caller, query: parked.query, content: parked.content,
            url: parked.route.redirectURI.text, isReturning: true)
    }
}
