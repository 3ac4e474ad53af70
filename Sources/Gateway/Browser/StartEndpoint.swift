internal import SwitchyardConfiguration
internal import SwitchyardCrypto
internal import SwitchyardHTTP
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRouting

/// `/start/{id}`: binds the sign-in to the browser, and sends it to the issuer. A browser at another address than the
/// program that asked first sees a page about that program (rules: who began is who finishes).
///
/// `/start/{id}/{handle}` is where a browser comes again with a response that it brought by POST. The other addresses
/// are those of ``CleanAddress`` and ``LogoEndpoint``.
struct StartEndpoint: Sendable {
    let exchange: Exchange

    private var registry: RequestRegistry { exchange.registry }

    func respond(path: Substring) async throws(StoreError) -> Response {
        let parts = path.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        if ["again", "refused"].contains(parts.first) { return await cleanAddress(parts) }
        if parts.count == 2, parts[0] == "logo" { return LogoEndpoint(exchange: exchange).respond(parts[1]) }
        guard let first = parts.first, let id = RequestID(first) else {
            return exchange.refusedPage(.notFound)
        }
        let handle = parts.count == 2 ? parts[1] : nil
        switch exchange.request.method {
        case .get where !exchange.request.isPersonal: return exchange.refusedPage(.prefetch)
        case .get: break
        case .head: return .noContent()
        case .post where handle == nil: return try await NotMe(exchange: exchange).answer(start: id)
        default: return exchange.refusedMethod(handle == nil ? "GET, HEAD, POST" : "GET, HEAD")
        }
        if let handle { return try await bringBack(handle, id) }
        guard let record = try await registry.find(.id(id)) else {
            return exchange.refusedPage(.notFound)
        }
        let found = exchange.setup.routes.app(record.app).flatMap { registry.app($0, of: record) }
        guard case .pending = record.phase, let app = found else {
            let hasExpired = if case .expired = record.outcome?.kind { true } else { false }
            return exchange.gonePage(hasExpired ? .expired : .ended, record.reference)
        }
        guard !app.takesAnyIssuer else { return exchange.refusedPage(.notFound) }
        guard let start = try? await AuthorizationStart(exchange, app) else {
            return exchange.refusedPage(.unavailable, record.reference)
        }
        // With completion `response` and no challenge the app composes the request itself, so there is no address to
        // send the browser to.
        guard let request = start.request(of: record) else { return exchange.refusedPage(.notFound) }
        return try await begin(record, start, request)
    }

    private func begin(
        _ record: RequestRecord, _ start: AuthorizationStart, _ request: AuthorizationRequest
    ) async throws(StoreError) -> Response {
        let app = start.app
        let cookies = exchange.cookies
        let isStarted = StartCookie.isHeld(in: cookies, for: record.id, registry)
        let browser = exchange.browserAddress
        let isElsewhere = browser == nil || browser != PeerAddress(of: record.beginner)
        let asked = StartCookie.value(in: cookies, for: record.id, .asked, registry)
        if app.release != .none, isElsewhere, !isStarted, !isConfirmed(by: asked) {
            return confirm(record, app, browser, asked, cookies)
        }
        let url: String
        switch try await start.destination(of: request, record) {
        case .open(let address): url = address
        case .refused(let failure):
            return exchange.page(
                .ok, .failed(SignInSummary(record, app), FailureReason(failure.code), said: failure.issuerWords))
        case .unavailable: return exchange.refusedPage(.unavailable, record.reference)
        case .over: return exchange.gonePage(.expired, record.reference)
        }
        exchange.events.report(.started, of: record)
        var response = Response.redirect(.seeOther, to: Array(url.utf8))
        if !isStarted {
            let value = StartCookie.makeValue(for: record, .start, registry)
            StartCookie.add(value, for: record, cookies, at: registry.now, to: &response)
        }
        return response
    }

    // MARK: The confirmation page

    /// A page of ours stands before the issuer's, with a link that only this browser can have. The cookie that comes with
    /// it is not yet the one of a browser in which the sign-in was started.
    private func confirm(
        _ record: RequestRecord, _ app: AppRegistration, _ browser: PeerAddress?, _ asked: Substring?,
        _ cookies: Cookies
    ) -> Response {
        // A second tab does not make the first one's link void.
        let value = asked.map(String.init) ?? StartCookie.makeValue(for: record, .asked, registry)
        exchange.events.report(.startPageSeen, of: record)
        let path = "/start/\(record.id)"
        let content = PageContent.confirmStart(
            SignInSummary(record, app), Asker(record, seenFrom: browser),
            continueURL: "\(path)?confirm=\(Self.confirmation(value))", action: path)
        var response = exchange.page(.ok, content)
        StartCookie.add(value, for: record, cookies, at: registry.now, to: &response)
        return response
    }

    /// The confirmation is derived from the cookie, so a link that skips the page cannot be sent to another browser.
    private static func confirmation(_ cookie: some StringProtocol) -> String {
        Base64URL.encode(Array(SHA256Digest(of: "confirm \(cookie)").bytes.prefix(16)))
    }

    private func isConfirmed(by cookie: Substring?) -> Bool {
        guard let cookie, let query = exchange.request.queryBytes else { return false }
        let expected = "confirm=\(Self.confirmation(cookie))"
        return constantTimeEqual(Array(query), Array(expected.utf8))
    }

    // MARK: Coming again

    private func cleanAddress(_ parts: [Substring]) async -> Response {
        let address = CleanAddress(exchange: exchange)
        switch exchange.request.method {
        case .get where parts == ["again", "news"]: return await address.news()
        case .get where !exchange.request.isPersonal: return exchange.refusedPage(.prefetch)
        case .get: break
        case .head: return .noContent()
        default: return exchange.refusedMethod("GET, HEAD")
        }
        switch (parts[0], parts.count) {
        case ("again", 1): return await address.comeAgain()
        case ("refused", 2): return address.sayAgain(parts[1])
        default: return exchange.refusedPage(.notFound)
        }
    }

    private func bringBack(_ handle: Substring, _ id: RequestID) async throws(StoreError) -> Response {
        guard let record = try await registry.find(.id(id)),
            let parked = ParkedCallback(handle, of: record, in: registry),
            let uri = record.redirect, let route = exchange.setup.routes.route(uri.form)
        else { return exchange.gonePage(.expired) }
        guard ParkedCallback.isBringer(handle, of: id, registry, showing: exchange.cookies) else {
            exchange.events.report(
                .refused(.anotherBrowser), app: route.app.id, record.reference, from: exchange.caller)
            return .redirect(.seeOther, to: SignInPage.anotherBrowser(record.reference))
        }
        // A browser that still shows no start cookie is judged too: its response is refused for good.
        let callback = ArrivedCallback(
            exchange, at: route, query: parked.query, content: parked.content, isReturning: true)
        return await CallbackAnswer(exchange: exchange, route: route).answer(callback)
    }
}

extension SignInFailure {
    /// The issuer's words for a page: the name of its error, and its description. nil without words.
    fileprivate var issuerWords: String? {
        guard let oauthError else { return nil }
        let parts = [oauthError.text, description?.text, correlationID?.text].compactMap { $0 }.filter { !$0.isEmpty }
        return parts.joined(separator: " · ")
    }
}
