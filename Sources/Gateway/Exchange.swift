internal import SwitchyardHTTP
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRouting
internal import SwitchyardText

/// A request under way: the request, its caller, and the gateway's state for it. ``GatewayService`` makes it.
///
/// A value, so that a request costs no allocation for it.
struct Exchange: Sendable {
    let request: Request
    let caller: Caller
    let worker: GatewayWorker
    /// The configuration when the request came; a reload meanwhile does not mix two.
    let setup: Setup
    /// The app and the redirect URI that it came to; nil elsewhere.
    let route: Route?

    init(_ request: Request, from caller: Caller, on worker: GatewayWorker, at route: Route? = nil) {
        self.request = request
        self.caller = caller
        self.worker = worker
        self.route = route
        setup = worker.setup
    }

    var core: GatewayCore { worker.core }
    var registry: RequestRegistry { worker.registry }
    var events: EventReporter { worker.core.events }

    /// The address of the calling program; nil when it is unknown.
    var peerAddress: PeerAddress? { PeerAddress(of: caller, request) }

    /// The address for lists of networks. nil if a forwarding header came without a trusted proxy: an untrusted proxy
    /// must not lend its address to callers.
    var knownAddress: IPAddress? { peerAddress == nil ? nil : caller.address }

    /// The address of the browser; nil when it is unknown.
    var browserAddress: PeerAddress? { PeerAddress(ofBrowser: caller, request) }

    /// The trace that the request names; nil without a valid one.
    var trace: TraceContext? {
        request.hasField("traceparent") ? TraceContext(traceparent: request.fieldValues("traceparent")) : nil
    }

    /// Whether the caller asks for more than the plain answer (RFC 7240 section 4.2).
    var prefersContent: Bool {
        request.fieldValues("prefer").flatMap { $0.listElements }.contains { preference in
            preference.prefix(before: UInt8(ascii: ";")).trimmingSpaces().asciiLowercased == "return=representation"
        }
    }

    /// Takes one event out of the caller's share.
    /// - Returns: nil if it may pass; else the whole seconds until the next try.
    func limit(by limiter: RateLimiter) -> Int? {
        limiter.take(caller.key, at: worker.loop.now)
    }

    /// Parsed at each call, because few requests need them.
    var cookies: Cookies { Cookies(request) }

    // MARK: Pages

    /// The time that a browser waits for the end of its sign-in, so that its first page is usually its last.
    static let pageWait = Duration.seconds(2)

    func page(_ status: Status, _ content: PageContent) -> Response {
        .page(status, content, of: setup.pages, to: request)
    }

    /// Sends a browser that has brought a callback on to the app on its own machine.
    ///
    /// A fragment comes by a form of our page, and browsers apply that page's `form-action` to a redirect that follows. So there
    /// the answer is a page, which sends the browser on.
    /// - Parameters:
    ///   - mode: the response mode of the app; nil if the app is no longer there.
    ///   - content: the page for a browser that does not follow.
    func sendOn(to address: [UInt8], by mode: ResponseMode?, _ content: PageContent) -> Response {
        let isFragment = mode?.carrier == .fragment
        var response = page(isFragment ? .ok : .seeOther, content)
        if isFragment {
            response.add("Refresh", Array("0; url=".utf8) + address)
        } else {
            response.add("Location", address)
        }
        return response
    }

    /// - Parameter reference: the reference by which operators find it.
    func refusal(_ refusal: CallbackRefusal, _ reference: Reference? = nil) -> Response {
        var response = Response.refusal(refusal, reference, of: setup.pages, to: request)
        if let route { CleanAddress.leave(route, refusal, reference, self, in: &response) }
        return response
    }

    /// A refusal at an address of our own pages. It is logged as a refused call.
    func refusedPage(_ refusal: CallbackRefusal, _ reference: Reference? = nil) -> Response {
        told(self.refusal(refusal, reference), refusal)
    }

    /// The same for a sign-in that is over.
    func gonePage(_ refusal: CallbackRefusal, _ reference: Reference? = nil) -> Response {
        told(page(.gone, .refused(refusal, reference)), refusal)
    }

    /// The same for a method that the address does not take.
    func refusedMethod(_ methods: String) -> Response { told(notAllowedPage(methods), .methodNotAllowed) }

    private func told(_ response: Response, _ refusal: CallbackRefusal) -> Response {
        events.report(.callRefused(code: refusal.reason, status: response.status.code, from: caller))
        return response
    }

    func notAllowedPage(_ methods: String, _ reference: Reference? = nil) -> Response {
        var response = refusal(.methodNotAllowed, reference)
        response.add("Allow", methods)
        return response
    }

    func limitedPage(retryAfter seconds: Int, _ reference: Reference? = nil) -> Response {
        var response = refusal(.tooManyRequests, reference)
        response.add("Retry-After", String(seconds))
        return response
    }
}
