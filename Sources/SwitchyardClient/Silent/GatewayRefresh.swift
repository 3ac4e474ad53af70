internal import SwitchyardCrypto
internal import SwitchyardGatewayClient
internal import SwitchyardHTTPClient
internal import SwitchyardJOSE
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardReactor

/// A refresh token exchanged by the gateway, which has the client's secret. The key of a bound token stays here, and proves each
/// request. On the network loop.
struct GatewayRefresh: Sendable {
    let core: ClientCore
    let gateway: GatewayAddress
    let request: SilentRequest

    private var scope: Scopes { ScopeRules.sent(request.scopes, core.settings) }

    func grant(for token: CachedRefreshToken) async throws(AuthenticationError) -> TokenGrant {
        let key = try token.privateKey()
        // The gateway may first ask its issuer for metadata and keys, and then twice for the tokens. A caller that gives up earlier
        // loses the new refresh token. Other processes keep away for as long.
        let deadline = Instant.now() + issuerTimeout * 6
        var answer = try await ask(token.secret, try await proof(key), before: deadline)
        // The issuer has used nothing up, and wants its nonce in the proof (RFC 9449 section 8). The gateway knows its metadata now.
        if key != nil, answer.body["error"]?.object?["oauth_error"] == "use_dpop_nonce",
            let nonce = answer.body["dpop_nonce"]?.string.flatMap({ ProofNonce($0) }),
            deadline - .now() > issuerTimeout * 2
        {
            answer = try await ask(token.secret, try await proof(key, nonce), before: deadline)
        }
        return try await core.verified(
            try GatewayOutcome.tokens(answer.body, core.settings.profile.deviations, isBound: key != nil),
            core.expectations(request.authority, sent: scope, mayOmitIDToken: true), granting: request.scopes,
            request.correlationID, boundTo: token.bindingKey)
    }

    /// A proof for the issuer's token endpoint; nil for a bearer token.
    private func proof(
        _ key: PrivateKey?, _ nonce: ProofNonce? = nil
    ) async throws(AuthenticationError) -> String? {
        guard let key else { return nil }
        let metadata = try await core.metadata(of: core.issuer(for: request.authority))
        let endpoint = core.settings.profile.refreshEndpoint(metadata).text.prefix { $0 != "?" }
        let proof = key.makeProof(
            method: "POST", url: String(endpoint), now: core.clock.now().secondsSince1970, nonce: nonce?.text)
        guard let proof else { throw AuthenticationError(.internal, .unexpected, "no proof of possession can be made") }
        return proof
    }

    private var issuerTimeout: Duration { core.settings.configuration.issuerTimeout }

    private func ask(
        _ token: Secret, _ proof: String?, before deadline: Instant
    ) async throws(AuthenticationError) -> GatewayResponse {
        var body: JSONObject = [
            "app": .string(gateway.configuration.app ?? core.settings.bundleID),
            "refresh_token": .string(token.exposedText), "scope": .string(scope.text),
        ]
        body["claims"] = request.claims.map { .string($0.json) }
        body["dpop"] = proof.map { .string($0) }
        let call = GatewayCall(
            .post, "/v1/tokens", token: gateway.configuration.apiKey, body: body, responseTime: deadline - .now())
        do throws(GatewayCallError) {
            let answer = try await gateway.connection.send(call, with: core.runtime.client)
            // A refusal of the issuer is an answer as well.
            guard answer.status == 200 || answer.body["error"]?.object != nil else {
                throw .refused(GatewayRefusal("the gateway did not refresh", answer))
            }
            return answer
        } catch {
            throw AuthenticationError(refreshing: error)
        }
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
