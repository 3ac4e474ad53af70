internal import SwitchyardGatewayClient
internal import SwitchyardHTTPClient
internal import SwitchyardOAuth

extension GatewayCallError {
    /// The step that the person at the terminal can take; nil where the words say it already.
    var hint: String? {
        switch self {
        case .unreachable(_, let error) where error.isUntrusted:
            "name the authority that issued its certificate, with --ca FILE or $SWITCHYARD_CA, and reach it by the name that the "
                + "certificate has"
        case .unreachable(let gateway, _) where !gateway.hasPrefix("unix:"):
            "look at --gateway: is it the one that serves the API?"
        case .answeredByAnother:
            "is the gateway running behind its proxy? Look at --gateway: it is the address that serves the API"
        case .refused(let refusal): Self.hint(for: refusal)
        case .invalidAddress, .unreachable, .expired, .malformedResponse, .local, .canceled: nil
        }
    }

    private static func hint(for refusal: GatewayRefusal) -> String? {
        switch (refusal.status, refusal.code) {
        case (401, "invalid_client"): "name the file of the app's API key: --api-key-file FILE"
        case (403, _):
            "the app's begin_from in the gateway's configuration says who may begin; its log names the address or user that was seen"
        case (404, _): "the gateway no longer knows this sign-in, perhaps after a restart: begin a new one"
        case (429, _), (503, _):
            refusal.retryAfter.map { "try again in \($0) \($0 == 1 ? "second" : "seconds")" } ?? "try again later"
        case (400, "invalid_request"):
            "compare with the gateway's configuration: switchyard check --config FILE prints its apps"
        default: nil
        }
    }
}

/// A sign-in of one app at one issuer, as far as this program knows it: what to look at when it does not come to its end.
struct SignInRemedy: Sendable {
    let app: String
    let reference: String
    let redirectURI: String
    /// The issuer's host; nil where the browser is sent to the gateway first.
    let issuer: String?
    let clientID: String?

    init(app: String, _ signIn: PendingSignIn) {
        self.app = app
        reference = signIn.reference
        redirectURI = signIn.redirectURI
        // With completion `response` there is no address.
        let address = try? EndpointURL(signIn.authorizationURL, allowingLoopbackHTTP: true)
        let parameters = try? FormEncoding.decode(Array((address?.query ?? "").utf8))
        clientID = parameters?.first { $0.name == "client_id" }?.value.printable
        issuer = clientID == nil ? nil : address?.host
    }

    private var issuerName: String { issuer ?? "the issuer" }
    private var client: String { clientID.map { "client ID \($0)" } ?? "the client ID of \(app)" }

    /// The words for a long wait: an issuer that refuses the request shows that in the browser alone.
    var whileWaiting: String {
        "Still waiting. If the browser shows an error of \(issuerName) and no page to sign in, compare with the registration "
            + "there: \(client), redirect URI \(redirectURI.printable)"
    }

    /// The point to check after a failure with this code.
    func hint(for code: String) -> String? {
        switch code {
        case "invalid_client", "unauthorized_client":
            "compare \(client) of \(app), its secret and its token_endpoint_auth_method in the gateway's configuration with the "
                + "registration at \(issuerName)"
        case "invalid_request", "invalid_grant", "authorization_failed":
            "compare \(client) and redirect URI \(redirectURI.printable) of \(app) with the registration at \(issuerName)"
        case "invalid_scope", "server_declined_scopes":
            "compare --scope, or the default_scope of \(app), with what \(issuerName) offers to \(client)"
        case "access_denied": "\(issuerName) says no: may this person use \(client) (\(app)), and with these scopes?"
        case "network", "server_error", "temporarily_unavailable", "throttled":
            "\(issuerName) did not answer the gateway as it should; try again later. The gateway's log says more at \(reference)"
        case "invalid_response", "invalid_id_token", "internal":
            "tell the gateway's operator the reference \(reference), the app \(app) and the issuer \(issuerName)"
        case "release_failed": "begin again, and type the code that your own browser shows"
        case "expired": "begin again"
        case "interaction_required", "server_protection_policies_required":
            "begin again; \(issuerName) wants more of the person than it got"
        default: nil
        }
    }
}
