internal import HTTP
internal import PendingRequests
internal import Routing

/// `/done/{reference}`: what became of a sign-in, for the browser that brought its callback. Anyone else gets a page
/// that says nothing.
struct DonePage: Sendable {
    let core: GatewayCore
    let worker: GatewayWorker

    func respond(to request: Request, reference: Substring) async -> Response {
        guard let reference = Reference(reference) else { return .page(.notFound, .refused(.notFound), to: request) }
        guard request.method == .get || request.method == .head else {
            var response = Response.page(.methodNotAllowed, .refused(.methodNotAllowed), to: request)
            response.add("Allow", "GET, HEAD")
            return response
        }
        return .page(.ok, await content(request, reference), to: request)
    }

    private func content(_ request: Request, _ reference: Reference) async -> PageContent {
        let neutral = PageContent.neutral(reference: "\(reference)")
        guard let cookie = OutcomeCookie(request, for: reference),
            let record = try? await core.registry.find(.id(cookie.id)), record.reference == reference,
            let expected = record.callback?.browserHash, expected == cookie.hash
        else { return neutral }
        let app = worker.setup.routes.app(record.app)
        return Self.content(
            record, SignInSummary(app: app?.name ?? record.app, hostLabel: record.hostLabel, reference: "\(reference)"))
    }

    private static func content(_ record: RequestRecord, _ summary: SignInSummary) -> PageContent {
        let refresh = record.expiresAt > Timestamp.now() ? 2 : nil
        guard let outcome = record.outcome else { return .redeeming(summary, refreshAfterSeconds: refresh) }
        switch outcome.kind {
        case .completed where outcome.isCollected: return .collected(summary)
        case .completed where outcome.sealedResult == nil: return .failed(summary, .expired)
        case .completed: return .waitingForApp(summary, refreshAfterSeconds: refresh)
        case .canceled: return .failed(summary, .canceled)
        case .expired: return .failed(summary, .expired)
        case .failed(let code): return .failed(summary, FailureReason(code: code))
        }
    }
}

extension FailureReason {
    /// The reason that a person is told for a failure's code (design 3.3).
    init(code: String) {
        self =
            switch code {
            case "access_denied": .accessDenied
            case "user_canceled": .canceled
            case "interaction_required": .interactionRequired
            case "server_protection_policies_required": .protectionPolicyRequired
            case "server_error", "temporarily_unavailable", "throttled", "network": .issuerUnavailable
            case "invalid_response", "invalid_id_token": .answerNotTrusted
            case "expired": .expired
            case "internal", "release_failed": .internalError
            default: .issuerRefused
            }
    }
}
