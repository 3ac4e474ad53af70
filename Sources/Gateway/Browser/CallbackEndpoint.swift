internal import Configuration
internal import Crypto
internal import HTTP
internal import Handlers
internal import OAuth
internal import PendingRequests
internal import Reactor
internal import Routing

/// The redirect URIs themselves: where a browser brings an authorization response (design 3.4).
struct CallbackEndpoint: Sendable {
    let core: GatewayCore
    let worker: GatewayWorker

    /// How long the browser is kept until the outcome is known, so that its first page is usually its last.
    private static let patience = Duration.seconds(2)

    func respond(to request: Request, _ route: Route) async -> Response {
        let caller = Caller(request, trusting: worker.setup.configuration.trustedProxies)
        if let seconds = worker.setup.callbackLimiter.take(caller.key, at: worker.loop.now) {
            var response = Response.page(.tooManyRequests, .refused(.tooManyRequests), to: request)
            response.add("Retry-After", String(seconds))
            return response
        }
        if let target = worker.setup.redirectTarget(of: route.app) { return dispatch(request, to: target) }
        switch request.method {
        case .get: break
        case .head: return .noContent()
        case .post: return refusePost(request)
        default: return Self.notAllowed(request, "GET, HEAD")
        }
        if Self.isPrefetch(request) {
            return .page(.serviceUnavailable, .refused(.prefetch), to: request)
        }
        return await take(request, route, caller)
    }

    /// Pure dispatch: no request is held, so nothing is looked at.
    private func dispatch(_ request: Request, to target: [UInt8]) -> Response {
        switch request.method {
        case .get: .redirect(.found, to: RedirectHandler.location(target, query: request.queryBytes))
        case .head: .noContent()
        default: Self.notAllowed(request, "GET, HEAD")
        }
    }

    private func take(_ request: Request, _ route: Route, _ caller: Caller) async -> Response {
        let secret = OutcomeCookie.makeSecret()
        let callback = ArrivedCallback(
            route: route, query: request.queryBytes.map(Array.init) ?? [], url: Self.url(request, route),
            browserHash: SHA256Digest(of: secret))
        do {
            let accepted = try await SignInFlow(core: core, worker: worker).accept(callback)
            if !accepted.isRepeated { await awaitOutcome(of: accepted.record) }
            var response = Response.redirect(.seeOther, to: Array("/done/\(accepted.record.reference)".utf8))
            if !accepted.isRepeated {
                OutcomeCookie.add(to: &response, secret: secret, for: accepted.record, request)
            }
            return response
        } catch {
            core.log.refuse(error.rawValue, app: route.app.id.text, from: caller.text)
            let (status, refusal) = error.answer
            var response = Response.page(status, .refused(refusal), to: request)
            if status == .serviceUnavailable { response.add("Retry-After", "5") }
            return response
        }
    }

    private func awaitOutcome(of record: RequestRecord) async {
        _ = try? await core.wait(
            for: record.id, until: Instant.now() + Self.patience, while: { !$0.isFinished })
    }

    /// The callback byte for byte, as the browser addressed it.
    private static func url(_ request: Request, _ route: Route) -> String {
        let query = request.queryBytes.map { "?" + String(decoding: $0, as: UTF8.self) } ?? ""
        return route.redirectURI.text + query
    }

    /// POST belongs to the response mode form_post; an app of the mode query takes GET only.
    private func refusePost(_ request: Request) -> Response {
        guard request.mediaType == "application/x-www-form-urlencoded" else {
            return .page(.unsupportedMediaType, .refused(.unsupportedContentType), to: request)
        }
        return Self.notAllowed(request, "GET, HEAD")
    }

    private static func notAllowed(_ request: Request, _ methods: String) -> Response {
        var response = Response.page(.methodNotAllowed, .refused(.methodNotAllowed), to: request)
        response.add("Allow", methods)
        return response
    }

    /// Whether the browser only looks ahead (rule 6).
    static func isPrefetch(_ request: Request) -> Bool {
        for value in request.fieldValues("sec-purpose") + request.fieldValues("purpose")
            + request.fieldValues("x-moz")
        {
            let purpose = value.lowercased()
            if purpose.contains("prefetch") || purpose.contains("prerender") || purpose.contains("preview") {
                return true
            }
        }
        return false
    }
}
