internal import HTTP
internal import OAuth
internal import PendingRequests
internal import Redemption
internal import Routing

/// `/start/{id}`: sends the browser to the issuer.
struct StartEndpoint: Sendable {
    let core: GatewayCore
    let worker: GatewayWorker

    func respond(to request: Request, id: Substring) async -> Response {
        guard let id = RequestID(id) else { return .page(.notFound, .refused(.notFound), to: request) }
        switch request.method {
        case .get: break
        case .head: return .noContent()
        default:
            var response = Response.page(.methodNotAllowed, .refused(.methodNotAllowed), to: request)
            response.add("Allow", "GET, HEAD")
            return response
        }
        if CallbackEndpoint.isPrefetch(request) {
            return .page(.serviceUnavailable, .refused(.prefetch), to: request)
        }
        do {
            guard let record = try await core.registry.find(.id(id)) else {
                return .page(.notFound, .refused(.notFound), to: request)
            }
            guard case .pending = record.phase, let url = await authorizationURL(record) else {
                return .page(.gone, .refused(.expired), to: request)
            }
            core.log.note(.started, record)
            return .redirect(.seeOther, to: Array(url.utf8))
        } catch {
            core.log.say("store failed: \(error)")
            return .page(.serviceUnavailable, .refused(.unavailable), to: request)
        }
    }

    private func authorizationURL(_ record: RequestRecord) async -> String? {
        let setup = worker.setup
        guard let app = setup.routes.app(record.app), let issuer = setup.issuer(of: app),
            let secrets = core.registry.secrets(of: record), let redirectURI = try? RedirectURI(record.redirectURI),
            let metadata = try? await worker.redeemer.metadata(for: issuer)
        else { return nil }
        return AuthorizationURL.compose(
            secrets, scope: Scopes(parsing: record.scope), redirectURI: redirectURI, app: app, metadata)
    }
}
