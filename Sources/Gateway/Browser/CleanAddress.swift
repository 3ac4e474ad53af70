internal import SwitchyardConfiguration
internal import SwitchyardHTTP
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardRouting

/// With `require_start` a code is worth something only in the browser that started, so no refusal may leave it in an address
/// bar, where it could be copied from: the page sends the browser on at once, and without a script, to an address of ours
/// that holds nothing (rules: who began is who finishes).
///
/// `/start/again` is where a response goes on that could not be judged for the moment: meanwhile the browser keeps it in a
/// cookie, sealed. `/start/refused/{name}/{reference}` says once more why it was refused.
struct CleanAddress: Sendable {
    let exchange: Exchange

    private static let cookie = "__Host-sy-again"
    private static let purpose = "again"
    /// In seconds.
    private static let lifetime: Int64 = 120
    /// Browsers take no more than 4096 bytes of a cookie, its name and attributes among them.
    private static let maximumLength = 3900
    private static let refusals = Dictionary(uniqueKeysWithValues: CallbackRefusal.allCases.map { ("\($0)", $0) })

    // MARK: Leaving

    /// Has the browser leave the address to which it brought a response that is refused.
    /// - Parameter reference: by which operators find the refusal.
    static func leave(
        _ route: Route, _ refusal: CallbackRefusal, _ reference: Reference?, _ exchange: Exchange,
        in response: inout Response
    ) {
        let request = exchange.request
        // Nobody sees the answer to a look ahead, and what comes by a form is in no address.
        guard route.app.requiresStart, refusal != .prefetch, request.method == .get || request.queryBytes != nil else {
            return
        }
        let mayComeAgain = refusal == .unavailable || refusal == .tooManyRequests
        if mayComeAgain, let value = setAside(route, exchange) {
            response.setCookie(cookie, value, lifetime: lifetime)
            response.add("Refresh", "0; url=/start/again")
        } else {
            response.add("Refresh", "0; url=/start/refused/\(refusal)\(reference.map { "/\($0)" } ?? "")")
        }
    }

    /// What the browser keeps of its request; nil when there is nothing to go on with, or too much.
    private static func setAside(_ route: Route, _ exchange: Exchange) -> String? {
        guard exchange.request.method == .get, route.app.responseMode.carrier == .query,
            let query = exchange.request.queryBytes, query.allSatisfy({ $0 < 0x80 })
        else { return nil }
        let id = RequestID()
        let text = "\(route.redirectURI.text)\n\(String(decoding: query, as: UTF8.self))"
        let value = "\(id).\(exchange.registry.seal(text, purpose, for: id))"
        return value.utf8.count <= maximumLength ? value : nil
    }

    // MARK: The addresses that hold nothing

    /// Judges what the browser has kept. While that cannot be done, the browser comes again by itself.
    func comeAgain() async -> Response {
        guard let (route, query) = kept() else { return exchange.page(.gone, .refused(.expired)) }
        if let seconds = exchange.limit(by: exchange.setup.callbackLimiter) {
            let reference = exchange.events.tell(.limited, app: route.app.id, from: exchange.caller)
            return comingAgain(exchange.limitedPage(retryAfter: seconds, reference), after: seconds)
        }
        var response = await CallbackArrival(exchange: exchange, route: route).answer(
            query: query, content: nil, url: CallbackEndpoint.url(of: route, query: query))
        if response.status == .serviceUnavailable { return comingAgain(response, after: 5) }
        response.dropCookie(Self.cookie)
        return response
    }

    /// - Parameter path: the name of a refusal, and behind it its reference.
    func sayAgain(_ path: Substring) -> Response {
        let parts = path.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let reference = parts.count == 2 ? Reference(parts[1]) : nil
        guard let refusal = parts.first.flatMap({ Self.refusals[String($0)] }), parts.count == 1 || reference != nil
        else { return exchange.refusal(.notFound) }
        return exchange.refusal(refusal, reference)
    }

    private func comingAgain(_ response: Response, after seconds: Int) -> Response {
        var response = response
        response.add("Refresh", "\(seconds); url=/start/again")
        return response
    }

    private func kept() -> (Route, [UInt8])? {
        for value in exchange.cookies.values(of: Self.cookie) {
            guard let dot = value.firstIndex(of: "."), let id = RequestID(value[..<dot]),
                let text = exchange.registry.open(value[value.index(after: dot)...], Self.purpose, for: id),
                let end = text.firstIndex(of: "\n"), let uri = try? RedirectURI(String(text[..<end])),
                let route = exchange.setup.routes.route(uri.form), case .pending = route.app.handler,
                route.app.responseMode.carrier == .query
            else { continue }
            return (route, Array(text[text.index(after: end)...].utf8))
        }
        return nil
    }
}
