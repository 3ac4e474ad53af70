internal import SwitchyardConfiguration
internal import SwitchyardCrypto
internal import SwitchyardGatewayClient
internal import SwitchyardHTTP
internal import SwitchyardHTTPClient
internal import SwitchyardJOSE
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRouting

/// Asks the gateway that stands at an app's https redirect URI to carry a sign-in of this agent: by its state and the
/// challenge. The verifier stays here, so a code is useless to others on its way.
struct RemoteBegin: Sendable {
    let exchange: Exchange
    let gateway: RemoteGateway

    /// - Returns: the sign-in at the other gateway; no task waits for it yet.
    func begin(_ parameters: BeginParameters, _ secrets: RequestSecrets) async throws(APIError) -> RemoteSignIn {
        let client = exchange.worker.gateways
        let route = exchange.setup.configuration.route
        do throws(GatewayCallError) {
            let signIn = try await PendingSignIn.begin(
                { Self.body(parameters, secrets) }, at: GatewayConnection(gateway, route),
                apiKey: gateway.apiKey?.exposedText,
                retry: .once, with: client)
            guard let reference = Reference(signIn.reference), isPlace(signIn.startURL, of: parameters.redirectURI)
            else {
                exchange.worker.loop.start { _ = try? await signIn.end(with: client) }
                throw .malformedResponse("its answer names no sign-in, or would send the browser to a host of others")
            }
            // Two sign-ins of one name would have one history, and each person would read of the other's.
            guard await !isKnown(reference) else {
                exchange.worker.loop.start { _ = try? await signIn.end(with: client) }
                throw .malformedResponse("its answer names a sign-in that there was before")
            }
            return RemoteSignIn(signIn, reference, at: gateway.url, for: exchange.caller)
        } catch {
            throw refusal(error)
        }
    }

    private func isKnown(_ reference: Reference) async -> Bool {
        if exchange.core.remotes.have(reference) { return true }
        do throws(StoreError) {
            return try await exchange.registry.timeline(of: reference) != nil
        } catch {
            return false
        }
    }

    /// Whether a browser may be sent there: to the redirect URI's origin, or to the gateway's (rules: no open redirect). Another
    /// port is another server. An empty address sends no browser anywhere.
    private func isPlace(_ startURL: String, of redirectURI: RedirectURI) -> Bool {
        if startURL.isEmpty { return true }
        guard let url = try? EndpointURL(startURL, allowingLoopbackHTTP: true) else { return false }
        return [redirectURI.text, gateway.url].contains { address in
            (try? EndpointURL(address, allowingLoopbackHTTP: true))?.origin == url.origin
        }
    }

    private static func body(_ parameters: BeginParameters, _ secrets: RequestSecrets) -> JSONObject {
        var body: JSONObject = [
            "app": .string(parameters.app.id.text), "redirect_uri": .string(parameters.redirectURI.text),
            "completion": "response", "state": .string(secrets.state),
        ]
        if !parameters.scope.names.isEmpty { body["scope"] = .string(parameters.scope.text) }
        body["host_label"] = parameters.hostLabel.map { .string($0) }
        body["return_port"] = parameters.returnPort.map { .integer(Int64($0)) }
        body["nonce"] = secrets.nonce.map { .string($0) }
        let challenge = secrets.challenge ?? secrets.verifier.flatMap { PKCE(verifier: $0)?.challenge }
        body["code_challenge"] = challenge.map { .string($0) }
        body["dpop_jkt"] = secrets.privateKey.map { .string($0.publicKey.thumbprintText) }
        var extra = JSONObject()
        for parameter in secrets.parameters {
            switch parameter.name {
            case "prompt", "login_hint", "domain_hint", "claims", "acr_values", "dpop_jkt":
                body[parameter.name] = .string(parameter.value)
            case "max_age", "authorization_details":
                body[parameter.name] = try? JSONValue.parse(Array(parameter.value.utf8))
            default: extra[parameter.name] = .string(parameter.value)
            }
        }
        if !extra.members.isEmpty { body["extra_parameters"] = .object(extra) }
        return body
    }

    // MARK: Why not

    private func refusal(_ failure: GatewayCallError) -> APIError {
        guard case .refused(let refusal) = failure else {
            exchange.events.report(.gateway(.remoteSilent(gateway: gateway.url, reason: "\(failure)")))
            return APIError(
                .serviceUnavailable, "temporarily_unavailable", "\(IssuerText("\(failure)")); \(Self.remedy(failure))",
                retryAfter: failure.retryAfter ?? 5)
        }
        let words = IssuerText("the app's gateway, \(gateway.url): \(refusal)").text
        switch refusal.status {
        case 400:
            var error = APIError.invalidRequest(words)
            if refusal.body["parameter"] == "redirect_uri" { error.parameter = "redirect_uri" }
            return error
        case 401, 403: return APIError(.forbidden, "unauthorized_client", "\(words); \(Self.wayIn)")
        case 409: return APIError(.conflict, "invalid_request", words)
        case 429: return APIError(.tooManyRequests, "slow_down", words, retryAfter: refusal.retryAfter ?? 5)
        default:
            return APIError(
                .serviceUnavailable, "temporarily_unavailable", words, retryAfter: refusal.retryAfter ?? 5)
        }
    }

    private static let wayIn =
        "if its begin_from asks for a key or a certificate, give the agent one: gateway: { url: …, api_key_file: FILE }, or "
        + "certificate and key"

    private static func remedy(_ failure: GatewayCallError) -> String {
        if case .unreachable(_, let error) = failure, error.isUntrusted {
            return "name the authority of its certificate: gateway: { url: …, ca: FILE }"
        }
        return "look whether it runs, and at \"gateway\" of this app in the agent's configuration"
    }
}

extension GatewayConnection {
    /// A connection from the configuration of an app.
    init(_ gateway: RemoteGateway, _ route: OutgoingRoute) throws(GatewayCallError) {
        try self.init(
            gateway.url, trustAnchor: gateway.trustAnchor, certificate: gateway.identity, route: route)
    }
}
