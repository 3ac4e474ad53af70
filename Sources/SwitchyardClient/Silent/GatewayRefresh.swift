internal import SwitchyardCrypto
internal import SwitchyardGatewayClient
internal import SwitchyardHTTPClient
internal import SwitchyardJSON
internal import SwitchyardOAuth

/// A refresh token exchanged by the gateway, which has the client's secret. On the network loop.
struct GatewayRefresh: Sendable {
    let core: ClientCore
    let gateway: GatewayAddress
    let request: SilentRequest

    func grant(for token: Secret) async throws(AuthenticationError) -> TokenGrant {
        let sent = ScopeRules.sent(request.scopes, core.settings)
        var body: JSONObject = [
            "app": .string(gateway.configuration.app ?? core.settings.bundleID),
            "refresh_token": .string(token.exposedText), "scope": .string(sent.text),
        ]
        body["claims"] = request.claims.map { .string($0.json) }
        // The gateway may first ask its issuer for metadata and keys, and then twice for the tokens. A caller that
        // gives up earlier loses the new refresh token. Other processes keep away for as long.
        let call = GatewayCall(
            .post, "/v1/tokens", token: gateway.configuration.apiKey, body: body,
            responseTime: core.settings.configuration.issuerTimeout * 6)
        let answer: GatewayResponse
        do throws(GatewayCallError) {
            answer = try await gateway.connection.send(call, with: core.runtime.client)
            // A refusal of the issuer is an answer as well.
            guard answer.status == 200 || answer.body["error"]?.object != nil else {
                throw .refused(GatewayRefusal("the gateway did not refresh", answer))
            }
        } catch {
            throw AuthenticationError(refreshing: error)
        }
        return try await core.verified(
            try GatewayOutcome.tokens(answer.body, core.settings.profile.deviations), of: request.authority,
            granting: request.scopes, sent: sent,
            request.correlationID, mayOmitIDToken: true)
    }
}

extension AuthenticationError {
    /// The failure of a gateway that did not ask the issuer: the token may still be good.
    fileprivate init(refreshing failure: GatewayCallError) {
        self.init(failure)
        oauthError = nil
        if failure.isPassing, code == .gatewayFailed { code = .network }
    }
}
