internal import SwitchyardConfiguration
internal import SwitchyardHTTP
internal import SwitchyardHandlers
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRouting

/// `/done/{reference}`: the outcome of a sign-in, for the browser that brought its callback. Other browsers get a
/// neutral page.
struct SignInPage: Sendable {
    let exchange: Exchange

    /// Behind a reference: the page for a browser in which the sign-in was not started.
    private static let anotherBrowser = "/another-browser"
    /// Behind a reference: the stage of the sign-in, for the script of its page.
    private static let news = "/news"

    static func anotherBrowser(_ reference: Reference) -> [UInt8] { Array("/done/\(reference)\(anotherBrowser)".utf8) }

    func respond(path: Substring) async throws(StoreError) -> Response {
        let part = path.prefix { $0 != "/" }
        let rest = path.dropFirst(part.count)
        guard let reference = Reference(part), rest.isEmpty || rest == Self.anotherBrowser || rest == Self.news
        else { return exchange.refusedPage(.notFound) }
        guard rest.isEmpty else {
            guard [.get, .head].contains(exchange.request.method) else { return exchange.refusedMethod("GET, HEAD") }
            return rest == Self.news
                ? Self.answer(with: try await shown(reference).stage)
                : exchange.page(.ok, .startedElsewhere(reference))
        }
        switch exchange.request.method {
        case .get, .head: return try await show(reference)
        case .post: return try await NotMe(exchange: exchange).answer(done: reference)
        default: return exchange.refusedMethod("GET, HEAD, POST")
        }
    }

    /// The answer at this address, for this browser.
    private enum Shown {
        case page(PageContent)
        /// The browser goes back to the app, with a ticket.
        case ticket(RequestRecord, SignInSummary, AppRegistration?, CallbackCookie)

        var stage: SignInStage {
            switch self {
            case .page(let content): content.stage
            case .ticket: .still
            }
        }
    }

    private func show(_ reference: Reference) async throws(StoreError) -> Response {
        switch try await shown(reference) {
        case .page(let content): exchange.page(.ok, content)
        case .ticket(let record, let summary, let app, let cookie): sendBack(record, summary, app, cookie)
        }
    }

    private func shown(_ reference: Reference) async throws(StoreError) -> Shown {
        let cookie = CallbackCookie(exchange.cookies, for: reference)
        if let cookie, let entry = exchange.core.deliveries.entry(reference, now: exchange.worker.loop.now),
            entry.browser == cookie.hash, entry.outcome != .leftToLast
        {
            return .page(PageContent(entry, exchange.setup.routes.app(entry.app)))
        }
        guard let cookie, let record = try await cookie.record(of: reference, in: exchange.registry)
        else { return .page(.neutral(reference: reference)) }
        let app = exchange.setup.routes.app(record.app).map { exchange.registry.app($0, of: record) ?? $0 }
        let summary = SignInSummary(record, app)
        guard let held = record.held else {
            let said = IssuerWordsCookie.words(in: exchange.cookies, for: record, exchange.registry)
            return .page(Self.content(record, summary, said, at: exchange.registry.now))
        }
        switch held.proof {
        case .code: return .page(code(record, summary, cookie))
        case .ticket: return .ticket(record, summary, app, cookie)
        }
    }

    /// One word, for the script of the page. A browser that may not see the sign-in learns nothing from it.
    static func answer(with stage: SignInStage) -> Response {
        var response = Response(.ok, body: .bytes(Array(stage.rawValue.utf8)))
        response.add("Content-Type", "text/plain; charset=utf-8")
        response.add("Cache-Control", "no-store")
        response.add("X-Content-Type-Options", "nosniff")
        return response
    }

    /// - Parameter said: by the issuer, where it refused.
    private static func content(
        _ record: RequestRecord, _ summary: SignInSummary, _ said: String?, at now: Timestamp
    ) -> PageContent {
        let isLive = record.expiresAt > now
        guard let outcome = record.outcome else { return .redeeming(summary, isLive: isLive) }
        switch outcome.kind {
        case .completed where outcome.isCollected: return .collected(summary)
        case .completed where !outcome.isCollectable: return .failed(summary, .expired)
        case .completed: return .waitingForApp(summary, isLive: isLive)
        case .errorResponse(let code): return .failed(summary, FailureReason(code), said: said)
        case .passedOn: return .passedOn(summary)
        case .canceled: return .failed(summary, .canceled)
        case .denied: return .failed(summary, .notMe)
        case .misproved: return .failed(summary, .wrongCode)
        case .heldTooLong: return .failed(summary, .releaseExpired)
        case .expired: return .failed(summary, .expired)
        case .failed(let code): return .failed(summary, FailureReason(code), said: said)
        }
    }

    // MARK: Release

    private func code(
        _ record: RequestRecord, _ summary: SignInSummary, _ cookie: CallbackCookie
    ) -> PageContent {
        .releaseCode(
            summary, Asker(record, seenFrom: exchange.browserAddress),
            code: ReleaseSecret.code(of: cookie.secret),
            action: "/done/\(record.reference)")
    }

    /// Sends the browser on to the app on this device, at top level, with the ticket that the app will present. The
    /// page is for a browser that does not follow, for example because no program listens there.
    private func sendBack(
        _ record: RequestRecord, _ summary: SignInSummary, _ app: AppRegistration?, _ cookie: CallbackCookie
    ) -> Response {
        guard let base = app?.returnURI, let secrets = exchange.registry.secrets(of: record) else {
            return exchange.page(.ok, .failed(summary, .internalError))
        }
        let parameters = FormEncoding.encode([
            ("ticket", ReleaseSecret.ticket(of: cookie.secret)), ("reference", "\(record.reference)"),
        ])
        let address = base.text(port: secrets.returnPort) + "?" + String(decoding: parameters, as: UTF8.self)
        return exchange.sendOn(
            to: Array(address.utf8), by: app?.responseMode, .returning(summary, appURL: address))
    }
}
