internal import SwitchyardConfiguration
internal import SwitchyardHTTP
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRedemption
internal import SwitchyardRouting

/// Takes a code out of the browser's address bar. With `require_start` a code counts only in the browser that started,
/// so no refusal may leave it in an address bar. The page sends the browser on at once, without a script, to an address
/// of ours without parameters.
///
/// `/start/again` is for a response that cannot be judged yet: its sender is over the rate, or the store or the issuer is
/// out. The browser keeps the response in a sealed cookie. The page asks `/start/again/news`, and loads itself again once
/// the response can be judged.
///
/// `/start/refused/{name}/{sealed}` is for any other response. It shows the refusal again, with its reference. The reference is
/// sealed, so that other parties cannot have our domain show one of their own.
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
        // A prefetch is shown to no person, and the address of a form has no code.
        guard route.app.requiresStart, refusal != .prefetch, request.method == .get || request.queryBytes != nil else {
            return
        }
        let mayComeAgain = refusal == .unavailable || refusal == .tooManyRequests
        if mayComeAgain, let value = setAside(route, exchange) {
            response.setCookie(cookie, value, lifetime: lifetime)
            response.add("Refresh", "0; url=/start/again")
        } else {
            let shown = reference.map { "/\(sealed($0, of: refusal, exchange.registry))" }
            response.add("Refresh", "0; url=/start/refused/\(refusal)\(shown ?? "")")
        }
    }

    /// As ``leave(_:_:_:_:in:)``, for a request with a head that is too large or came too late. Any address may hold a
    /// code, so the browser leaves every one. If its cookies are too large, the clean address is refused too, and the
    /// browser stays there.
    /// - Parameter path: the path of the request, as far as it is known.
    static func leave(
        _ path: [UInt8], _ refusal: CallbackRefusal, _ reference: Reference?, _ registry: RequestRegistry,
        in response: inout Response
    ) {
        guard !path.starts(with: "/start/refused/".utf8) else { return }
        let shown = reference.map { "/\(sealed($0, of: refusal, registry))" }
        response.add("Refresh", "0; url=/start/refused/\(refusal)\(shown ?? "")")
    }

    /// The part of the request that the browser keeps; nil when it cannot continue with it, or when it is too large.
    private static func setAside(_ route: Route, _ exchange: Exchange) -> String? {
        guard exchange.request.method == .get, route.app.responseMode.carrier == .query,
            let query = exchange.request.queryBytes, query.allSatisfy({ $0 < 0x80 })
        else { return nil }
        let id = RequestID()
        let text = "\(route.redirectURI.text)\n\(String(decoding: query, as: UTF8.self))"
        let value = "\(id).\(exchange.registry.seal(text, purpose, for: id))"
        return value.utf8.count <= maximumLength ? value : nil
    }

    // MARK: Addresses without parameters

    /// Judges the data that the browser has kept. While that cannot be done, its page looks for news.
    func comeAgain() async -> Response {
        guard let (route, query) = kept() else { return exchange.gonePage(.expired) }
        if let seconds = exchange.limit(by: exchange.setup.callbackLimiter) {
            let reference = exchange.events.report(.limited, app: route.app.id, from: exchange.caller)
            return comingAgain(.tooManyRequests, reference, after: seconds)
        }
        var response = await CallbackEndpoint(exchange: exchange).arrive(
            ArrivedCallback(exchange, at: route, query: query))
        if response.status == .serviceUnavailable { return comingAgain(.unavailable, nil, after: 5) }
        response.dropCookie(Self.cookie)
        return response
    }

    /// One word, for the script of that page. It changes no request, so a page may ask it in the background.
    func news() async -> Response { SignInPage.answer(with: await canJudge() ? .still : .again) }

    /// Whether the response could be judged now; also when the browser no longer keeps one.
    private func canJudge() async -> Bool {
        guard let (route, _) = kept() else { return true }
        let (setup, worker) = (exchange.setup, exchange.worker)
        guard setup.callbackLimiter.hasRoom(for: exchange.caller.key, at: worker.loop.now),
            exchange.core.obstacles(try? await exchange.registry.usage()).isEmpty
        else { return false }
        guard let issuer = setup.issuer(of: route.app) else { return true }
        return await worker.redeemer.isKnown(issuer, withKeys: route.app.responseMode.isSigned)
    }

    /// - Parameter path: the name of a refusal, and behind it its reference, sealed. One that does not open, or no longer, is not
    ///   shown.
    func sayAgain(_ path: Substring) -> Response {
        let parts = path.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let refusal = parts.first.flatMap({ Self.refusals[String($0)] }) else {
            return exchange.refusedPage(.notFound)
        }
        guard parts.count == 2 else { return exchange.refusal(refusal) }
        if let reference = Self.reference(in: parts[1], of: refusal, exchange.registry) {
            return exchange.refusal(refusal, reference)
        }
        // A gateway of an earlier version wrote the reference as it is.
        let hasForm = Reference(parts[1]) != nil || Self.sides(of: parts[1]) != nil
        return hasForm ? exchange.refusal(refusal) : exchange.refusedPage(.notFound)
    }

    // MARK: References

    private static let referencePurpose = "refused"
    /// For how long the address shows the reference; a page that is loaded anew later does without.
    private static let referenceLifetime = Duration.seconds(600)

    /// The sealed form of a reference, since any party could have written a plain one into an address.
    static func sealed(_ reference: Reference, of refusal: CallbackRefusal, _ registry: RequestRegistry) -> String {
        let id = RequestID()
        let text = "\(refusal) \(reference) \((registry.now + referenceLifetime).milliseconds)"
        return "\(id).\(registry.seal(text, referencePurpose, for: id))"
    }

    /// The reference that a gateway of ours has ``sealed(_:of:_:)`` for this refusal, not long ago; nil for anything else.
    static func reference(
        in sealed: Substring, of refusal: CallbackRefusal, _ registry: RequestRegistry
    ) -> Reference? {
        guard let (id, seal) = sides(of: sealed), let text = registry.open(seal, referencePurpose, for: id),
            case let parts = text.split(separator: " "), parts.count == 3, parts[0] == "\(refusal)",
            let end = Int64(parts[2]), registry.now.milliseconds < end
        else { return nil }
        return Reference(parts[1])
    }

    private static func sides(of text: Substring) -> (RequestID, Substring)? {
        guard let dot = text.firstIndex(of: "."), let id = RequestID(text[..<dot]) else { return nil }
        return (id, text[text.index(after: dot)...])
    }

    private func comingAgain(_ refusal: CallbackRefusal, _ reference: Reference?, after seconds: Int) -> Response {
        var response = exchange.page(refusal.status, .comingAgain(refusal, reference))
        response.add("Retry-After", String(seconds))
        return response
    }

    private func kept() -> (Route, [UInt8])? {
        for value in exchange.cookies.values(of: Self.cookie) {
            guard let (id, seal) = Self.sides(of: value[...]),
                let text = exchange.registry.open(seal, Self.purpose, for: id),
                let end = text.firstIndex(of: "\n"), let uri = try? RedirectURI(String(text[..<end])),
                let route = exchange.setup.routes.route(uri.form), route.app.handlers.holdsRequests,
                route.app.responseMode.carrier == .query
            else { continue }
            return (route, Array(text[text.index(after: end)...].utf8))
        }
        return nil
    }
}
