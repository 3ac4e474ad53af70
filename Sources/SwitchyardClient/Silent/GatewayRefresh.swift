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
        let sent = ScopeRules.sent(request.scopes)
        var body: JSONObject = [
            "app": .string(gateway.configuration.app ?? core.settings.bundleID),
            "refresh_token": .string(token.exposedText), "scope": .string(sent.text),
        ]
        body["claims"] = request.claims.map { .string($0.json) }
        // The gateway may ask its issuer for metadata and keys first, and twice for the tokens; whoever gives up before it
        // loses the refresh token's successor. Other processes keep away for as long.
        let call = GatewayCall(
            .post, "/v1/tokens", token: gateway.configuration.apiKey, body: body,
            answerTime: core.settings.configuration.issuerTimeout * 6)
        let answer: GatewayAnswer
        do throws(GatewayFailure) {
            answer = try await gateway.connection.send(call, with: core.runtime.client)
            // What the issuer said is an answer as well.
            guard answer.status == 200 || answer.body["error"]?.object != nil else {
                throw .refused(GatewayRefusal("the gateway did not refresh", answer))
            }
        } catch {
            throw AuthenticationError(refreshing: error)
        }
        return try await core.verified(
            try GatewayOutcome.tokens(answer.body), of: request.authority, granting: request.scopes, sent: sent,
            request.correlationID, mayOmitIDToken: true)
    }
}

extension AuthenticationError {
    /// Why a gateway did not even ask the issuer: that says nothing about the token.
    fileprivate init(refreshing failure: GatewayFailure) {
        self.init(failure)
        oauthError = nil
        if failure.isPassing, code == .gatewayFailed { code = .network }
    }
}
