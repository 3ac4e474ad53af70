internal import SwitchyardConfiguration
internal import SwitchyardHTTP
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRouting

/// `POST /v1/callbacks`: a callback that reached this machine as a string. The answer is that of `handleMSALResponse`,
/// with its reason.
struct RelayEndpoint: Sendable {
    let core: GatewayCore
    let worker: GatewayWorker

    func relay(_ request: Request) async throws -> Response {
        let caller = Caller(request, trusting: worker.setup.configuration.trustedProxies)
        if let seconds = worker.setup.callbackLimiter.take(caller.key, at: worker.loop.now) {
            throw APIError.tooMany("this address relays callbacks too fast", retryAfter: seconds)
        }
        let content = try JSONContent(of: request, known: ["url", "source_application"])
        guard let url = content["url"]?.string else { throw APIError.invalidRequest("\"url\" has to be a string") }
        _ = try content.text("source_application", maximum: 256)
        guard let address = try? CallbackAddress(relayed: url) else {
            return refuse(.malformed, nil, caller, as: .refused(.malformed))
        }
        if case .https = address.form { return refuse(.notMine, nil, caller, as: .notMine) }
        guard let route = worker.setup.routes.route(address.form) else {
            return refuse(.notMine, nil, caller, as: .notMine)
        }
        guard case .pending = route.app.handler else { return refuse(.noPendingRequest, route, caller, as: .notMine) }
        guard Self.permits(route.app.relayFrom, caller) else {
            return refuse(.notMine, route, caller, as: .refused(.foreignRelay))
        }
        let callback = ArrivedCallback(
            route: route, query: address.query, content: nil, url: url, bearer: .relay(uid: caller.uid))
        do throws(RefusedCallback) {
            let accepted = try await CallbackIntake(core: core, worker: worker).accept(callback)
            guard case .claimed(let record, _) = accepted else {
                return refuse(.alreadyConsumed, route, caller, as: .repeated)
            }
            core.events.tellAccepted(record, app: route.app.id, from: caller, isRelayed: true)
            return Response.json(.ok, ["handled": true, "app": .string(route.app.id.text)])
        } catch {
            guard error.problem != .unavailable else {
                core.events.tell(
                    .refused(.unavailable), app: route.app.id, error.reference, from: caller, isRelayed: true)
                throw APIError(
                    .serviceUnavailable, "temporarily_unavailable", "the callback cannot be checked now", retryAfter: 5)
            }
            return refuse(Reason(error.problem), route, caller, as: .refused(error.problem), error.reference)
        }
    }

    /// Whether `relay_from` lets the caller relay; it narrows what the release policy allows.
    private static func permits(_ relayFrom: RelayFrom?, _ caller: Caller) -> Bool {
        guard let relayFrom else { return true }
        return caller.uid.map { relayFrom.permits(uid: $0) } ?? caller.address.map { relayFrom.permits($0) } ?? false
    }

    /// - Parameter outcome: what it was, which may be more than the caller may know.
    private func refuse(
        _ reason: Reason, _ route: Route?, _ caller: Caller, as outcome: CallbackOutcome, _ reference: Reference? = nil
    ) -> Response {
        core.events.tell(outcome, app: route?.app.id, reference, from: caller, isRelayed: true)
        return Response.json(
            reason == .malformed ? .badRequest : .notFound, ["handled": false, "reason": .string(reason.rawValue)])
    }

    /// The reasons of design 3.3.
    private enum Reason: String {
        case notMine = "not_mine"
        case noPendingRequest = "no_pending_request"
        case alreadyConsumed = "already_consumed"
        case stateMismatch = "state_mismatch"
        case expired
        case malformed

        init(_ problem: CallbackProblem) {
            self =
                switch problem {
                case .malformed, .duplicateParameter, .missingState, .missingCode, .tooLarge, .wrongIssuer,
                    .wrongResponseMode, .responseNotTrusted:
                    .malformed
                case .wrongRedirectURI: .stateMismatch
                case .unknownState, .canceled, .unavailable, .anotherBrowser: .noPendingRequest
                // As any stranger is told.
                case .foreignRelay: .notMine
                case .expired: .expired
                case .replayed: .alreadyConsumed
                }
        }
    }
}
