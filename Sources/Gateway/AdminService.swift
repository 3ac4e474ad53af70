internal import SwitchyardConfiguration
internal import SwitchyardHTTP
internal import SwitchyardJSON
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRouting

/// The operator's calls, on loopback and Unix sockets only.
struct AdminService: Sendable {
    let worker: GatewayWorker
    private var core: GatewayCore { worker.core }
    private var setup: Setup { worker.setup }

    private static let paths: Set<String> = ["/v1/status", "/v1/reload", "/v1/probes", "/v1/probes/answers"]

    /// Whether a path below `/v1/`, where the apps' API is too, is the operator's.
    static func has(_ path: String) -> Bool { paths.contains(path) || path.hasPrefix(signIns) }

    func respond(to request: Request) async -> Response {
        guard Self.isOwnHost(request) else {
            return APIError(.misdirectedRequest, "invalid_request", "this address answers to loopback names only")
                .response
        }
        guard !isForAnotherMachine(request) else {
            return APIError(
                .misdirectedRequest, "invalid_request",
                "this is for programs of this machine, and a proxy asks for another"
            ).response
        }
        // Any page may open the console's page and the health checks, which tell no secret. The other calls cost work
        // and name sign-ins, so pages elsewhere are refused.
        guard ["/", "/healthz", "/readyz"].contains(request.pathText) || !Self.isForAnotherSite(request) else {
            return APIError(.forbidden, "invalid_request", "this is not for pages of other sites").response
        }
        if request.pathText.hasPrefix(Self.signIns) { return await signIn(request) }
        switch request.pathText {
        case "/v1/reload": return await reload(request)
        case "/v1/probes", "/v1/probes/answers": return probe(request)
        default: break
        }
        let answer: @Sendable () async -> Response
        switch request.pathText {
        case "/healthz": answer = { .json(.ok, ["status": "ok"]) }
        case "/readyz": answer = readiness
        case "/": answer = { ConsolePage.respond(to: request) }
        case "/v1/status": answer = { await core.status.respond(to: request, on: worker) }
        case "/metrics": answer = { await metrics(MetricsText.Format(accept: request.fieldValues("accept"))) }
        default:
            return APIError(
                .notFound, "not_found",
                "there is /, /healthz, /readyz, /metrics, /v1/status, /v1/reload and /v1/sign-ins/{reference}"
            ).response
        }
        guard request.method == .get || request.method == .head else {
            return APIError.notAllowed("GET, HEAD").response
        }
        return await answer()
    }

    /// Has the configuration read again, and reports the result. A caller cannot choose the file. On a Unix socket only
    /// root and the gateway's own user may ask.
    private func reload(_ request: Request) async -> Response {
        if let refusal = Self.refusal(ofPost: request) { return refusal }
        if case .local(let uid) = request.connection.peer, !AdminReload.isOperator(uid) {
            return APIError(.forbidden, "access_denied", "root and the gateway's own user may do this").response
        }
        switch await core.reload.ask() {
        case .taken(let apps, let issuers, let warnings):
            return .json(
                .ok,
                [
                    "status": "reloaded", "apps": .integer(Int64(apps)), "issuers": .integer(Int64(issuers)),
                    "warnings": .array(warnings.map { .string($0) }),
                ])
        case .refused(let errors):
            return .json(
                .conflict,
                [
                    "error": "invalid_configuration",
                    "error_description": "the configuration cannot be used; the old one stays",
                    "errors": .array(errors.map { .string($0) }),
                ])
        case nil:
            return APIError(
                .serviceUnavailable, "temporarily_unavailable", "the gateway is busy with another reload, or stopping",
                retryAfter: 1
            ).response
        }
    }

    /// For `switchyard doctor`: an address to ask for at the listeners for browsers, and the description that came
    /// back.
    private func probe(_ request: Request) -> Response {
        if let refusal = Self.refusal(ofPost: request) { return refusal }
        guard request.pathText == "/v1/probes/answers" else { return core.probe.begin(core.registry) }
        do throws(APIError) {
            return try core.probe.open(try JSONContent(of: request, known: ["path", "answer"]), core.registry)
        } catch {
            return error.response
        }
    }

    /// The reason why a call cannot come from a program of the operator; nil when it may.
    private static func refusal(ofPost request: Request) -> Response? {
        guard request.method == .post else { return APIError.notAllowed("POST").response }
        let site = request.fieldValues("sec-fetch-site").first
        guard !request.hasField("origin"), site == nil || site == "none", request.mediaType == "application/json" else {
            return APIError(.forbidden, "invalid_request", "this is for programs that send JSON").response
        }
        return nil
    }

    private static let signIns = "/v1/sign-ins/"

    /// `/v1/sign-ins/{reference}`: the history of a sign-in, or of a callback that was refused. The
    /// reference as people say it.
    private func signIn(_ request: Request) async -> Response {
        guard request.method == .get || request.method == .head else {
            return APIError.notAllowed("GET, HEAD").response
        }
        let said = request.pathText.dropFirst(Self.signIns.count).split(separator: "%20").joined()
        guard let reference = Reference(said: said) else {
            return APIError(.notFound, "not_found", "a reference has ten characters, such as 7KX2M0Q9ZT").response
        }
        do throws(StoreError) {
            guard let timeline = try await core.timelines.timeline(of: reference) else {
                return .json(
                    .notFound,
                    [
                        "error": "not_found",
                        "error_description":
                            "no such sign-in is known; histories are kept for 24 hours, 10,000 at the most",
                        "reference": .string("\(reference)"),
                    ])
            }
            let report = SignInReport(reference, timeline) { app in setup.routes.app(named: app)?.issuer }
            return .json(.ok, report.json)
        } catch {
            return APIError.unavailable.response
        }
    }

    private func metrics(_ format: MetricsText.Format) async -> Response {
        Response(
            .ok, fields: ["Content-Type": format.contentType, "Cache-Control": "no-store", "Vary": "Accept"],
            body: .bytes(await core.snapshot().text(format)))
    }

    private func readiness() async -> Response {
        guard !core.isStopping else { return Self.notReady("stopping", because: core.obstacles(nil)) }
        let usage = try? await core.registry.usage()
        let reasons = core.obstacles(usage)
        guard let usage, reasons.isEmpty else { return Self.notReady("unavailable", because: reasons) }
        var object: JSONObject = [
            "status": "ready", "pending_requests": .integer(Int64(usage.pending)),
            "kept_requests": .integer(Int64(usage.requests)), "kept_bytes": .integer(Int64(usage.bytes)),
        ]
        let warnings = core.configuration.snapshot.warnings
        if !warnings.isEmpty { object["warnings"] = .array(warnings.map { .string($0) }) }
        return .json(.ok, object)
    }

    private static func notReady(_ status: String, because reasons: [String]) -> Response {
        .json(
            .serviceUnavailable, ["status": .string(status), "reasons": .array(reasons.map { .string($0) })])
    }

    /// Whether a trusted proxy says so (rules: the admin listener is private). It may have let any `Host` through.
    private func isForAnotherMachine(_ request: Request) -> Bool {
        let caller = Caller(request, trusting: setup.configuration.trustedProxies)
        guard caller.isProxied, !Caller.forwardingFields(of: request).isEmpty else { return false }
        return caller.address?.isLoopback != true
    }

    /// Whether a page of another site makes its browser ask.
    private static func isForAnotherSite(_ request: Request) -> Bool {
        guard let site = request.fieldValues("sec-fetch-site").first else { return request.hasField("origin") }
        return site != "none" && site != "same-origin"
    }

    /// Whether `Host` is a name of this listener, or missing. A page elsewhere can make a browser call loopback under a
    /// name of its own (DNS rebinding), which then stands in `Host` (rules: the admin listener is private). Browsers
    /// always send `Host`.
    private static func isOwnHost(_ request: Request) -> Bool {
        guard let host = request.authority?.host else { return true }
        let text = String(decoding: host, as: UTF8.self)
        // Programs may send any name to a Unix socket. A browser comes there as well, by `ssh -L`, and names that an
        // attacker can have a browser look up have a dot.
        if case .local = request.connection.peer, !text.contains(".") { return true }
        return text == "localhost" || text == "[::1]"
            || (text.hasPrefix("127.") && text.allSatisfy { $0.isNumber || $0 == "." })
    }
}
