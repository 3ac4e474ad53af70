internal import SwitchyardConfiguration
internal import SwitchyardHTTP
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRouting

/// "It was not me": the person at the browser ends a sign-in that another person began.
///
/// Only a browser that holds a cookie of the sign-in can do so. Other sites cannot make it do so: the cookies are Lax,
/// so a POST from elsewhere comes without them. If the browser names the form's origin, the gateway believes it.
struct NotMe: Sendable {
    let exchange: Exchange

    private var registry: RequestRegistry { exchange.registry }

    /// From the page before the issuer's.
    func answer(start id: RequestID) async throws(StoreError) -> Response {
        if let refusal { return refusal }
        let cookies = exchange.cookies
        guard let record = try await registry.find(.id(id)),
            StartCookie.value(in: cookies, for: id, .asked, registry) != nil
                || StartCookie.isHeld(in: cookies, for: id, registry)
        else { return anotherBrowser }
        try await end(record)
        guard let ended = try await registry.find(.id(id)), ended.isFinished else {
            return exchange.refusedPage(.replayed)
        }
        let app = exchange.setup.routes.app(record.app)
        var response = exchange.page(.ok, .failed(SignInSummary(record, app), .notMe))
        StartCookie.drop(for: record, exchange, in: &response)
        return response
    }

    /// From the page that shows the release code.
    func answer(done reference: Reference) async throws(StoreError) -> Response {
        if let refusal { return refusal }
        guard let cookie = CallbackCookie(exchange.cookies, for: reference),
            let record = try await cookie.record(of: reference, in: registry)
        else { return anotherBrowser }
        try await end(record)
        return .redirect(.seeOther, to: Array("/done/\(reference)".utf8))
    }

    private var anotherBrowser: Response { exchange.refusedPage(.anotherBrowser) }

    private var refusal: Response? {
        guard exchange.request.isFromOwnSite else { return anotherBrowser }
        return isSaid(exchange.request) ? nil : exchange.refusedPage(.malformed)
    }

    private func isSaid(_ request: Request) -> Bool {
        guard request.mediaType == "application/x-www-form-urlencoded",
            let fields = try? FormEncoding.decode(request.body)
        else { return false }
        return fields.map(\.name) == ["answer"] && fields[0].value == "not_me"
    }

    private func end(_ record: RequestRecord) async throws(StoreError) {
        let failure = SignInFailure(
            .releaseFailed, description: "the person at the browser says that somebody else began this sign-in")
        _ = try await registry.deny(record, answer: AppResponse.body(of: failure)) { [events = exchange.events] in
            events.report(.denied, of: $0)
        }
    }
}

extension Request {
    /// Whether a page of this origin made the browser send this (Fetch Metadata). If the browser does not say, true.
    var isFromOwnSite: Bool {
        guard let site = field("sec-fetch-site") else { return true }
        return site == "same-origin" || site == "none"
    }
}
