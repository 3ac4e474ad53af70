internal import SwitchyardHTTP
internal import SwitchyardJSON
internal import SwitchyardPendingRequests
internal import SwitchyardReactor

/// `/healthz` and `/readyz`, on loopback and Unix sockets only.
struct AdminService: Sendable {
    let core: GatewayCore

    func respond(to request: Request) async -> Response {
        guard Self.isOwnHost(request) else {
            return APIError(.misdirectedRequest, "invalid_request", "this address answers to loopback names only")
                .response
        }
        let answer: @Sendable () async -> Response
        switch request.pathText {
        case "/healthz": answer = { .json(.ok, ["status": "ok"]) }
        case "/readyz": answer = readiness
        default: return APIError(.notFound, "not_found", "there is /healthz and /readyz").response
        }
        guard request.method == .get || request.method == .head else {
            return APIError.notAllowed("GET, HEAD").response
        }
        return await answer()
    }

    private func readiness() async -> Response {
        guard !core.isStopping else { return Self.notReady("stopping", because: "the gateway is stopping") }
        guard let usage = try? await core.registry.usage(), core.registry.storeFailure == nil else {
            let failure = core.registry.storeFailure.map { ": \($0)" } ?? ""
            return Self.notReady("unavailable", because: "the store is out\(failure)")
        }
        return .json(
            .ok,
            [
                "status": "ready", "pending_requests": .integer(Int64(usage.pending)),
                "kept_requests": .integer(Int64(usage.kept)), "kept_bytes": .integer(Int64(usage.bytes)),
            ])
    }

    private static func notReady(_ status: String, because reason: String) -> Response {
        .json(.serviceUnavailable, ["status": .string(status), "reasons": .array([.string(reason)])])
    }

    /// A page elsewhere can make a browser call loopback under a name of its own (DNS rebinding); that name is then in
    /// `Host` (rules: the admin listener is private). Who names none is no browser.
    private static func isOwnHost(_ request: Request) -> Bool {
        if case .local = request.connection.peer { return true }
        guard let host = request.authority?.host else { return true }
        let text = String(decoding: host, as: UTF8.self)
        return text == "localhost" || text == "[::1]"
            || (text.hasPrefix("127.") && text.allSatisfy { $0.isNumber || $0 == "." })
    }
}
