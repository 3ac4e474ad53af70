internal import SwitchyardCrypto
internal import SwitchyardDesktop
internal import SwitchyardGatewayClient
internal import SwitchyardJOSE
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardReactor
internal import SwitchyardRedemption

/// A sign-in in which a gateway receives the callback. On the network loop.
struct GatewayFlow {
    let core: ClientCore
    let request: InteractiveRequest
    let gateway: GatewayAddress

    func run(
        present: (_ url: String) async throws(AuthenticationError) -> Void
    ) async throws(AuthenticationError) -> TokenGrant {
        switch gateway.configuration.redemption.name {
        case .byGateway:
            let body = { beginning }
            let begun = core.clock.now()
            return try await signIn(body, present: present) { outcome, _ throws(AuthenticationError) in
                // The result was sealed to a key of this process, and so is the key of the tokens.
                let key = outcome["dpop_jwk"]?.object.map { Secret(JSONValue.object($0).serialized) }
                guard key.map({ PrivateKey(exported: $0) != nil }) ?? true else { throw Self.unusableKey }
                let response = try GatewayOutcome.tokens(outcome, core.settings.profile.deviations, isBound: key != nil)
                guard key != nil || !core.settings.configuration.bindsTokens else { throw Self.notBound }
                var expectations = core.expectations(request.authority, sent: request.sentScopes)
                (expectations.stepUp, expectations.arrival) = (request.stepUp, arrival(since: begun))
                return try await core.verified(
                    response, expectations, granting: request.scopes, request.correlationID, boundTo: key)
            }
        case .byApp: return try await redeemHere(present: present)
        }
    }

    private static let unusableKey = AuthenticationError(
        .gatewayFailed, .invalidResponse, "the key that the gateway's tokens are bound to cannot be read")

    private static let notBound = AuthenticationError(
        .gatewayFailed, .invalidResponse,
        "the gateway's tokens are not bound to a key, and the app has bindsTokens: write dpop: required for the app at the gateway"
    )

    /// The gateway does not say when the callback came, and may have held its code since.
    private func arrival(since begun: UnixTime) -> ClosedRange<Int64> {
        begun.secondsSince1970...max(begun, core.clock.now()).secondsSince1970
    }

    // MARK: Redemption by this app

    private func redeemHere(
        present: (_ url: String) async throws(AuthenticationError) -> Void
    ) async throws(AuthenticationError) -> TokenGrant {
        let exchange = try await CodeExchange(core, request)
        let begun = core.clock.now()
        // The state of the last try, which the gateway answered.
        var state = ""
        let body = {
            state = Random.token(byteCount: 32)
            var body = beginning
            body["completion"] = "response"
            body["state"] = .string(state)
            body["nonce"] = .string(exchange.nonce)
            body["code_challenge"] = .string(exchange.pkce.challenge)
            body["dpop_jkt"] = exchange.key.map { .string($0.publicKey.thumbprintText) }
            return body
        }
        return try await signIn(body, present: present) { outcome, redirectURI throws(AuthenticationError) in
            guard let redirectURI = try? RedirectURI(redirectURI) else {
                throw AuthenticationError(.gatewayFailed, .invalidResponse, "the gateway named no redirect URI")
            }
            let response = try GatewayOutcome.response(
                outcome, redirectURI: redirectURI, state: state,
                exchange.metadata.identification(tenants: request.authority.tenants),
                names: core.settings.profile.deviations.parameterNames)
            return try await exchange.grant(for: response, redirectURI: redirectURI, arrival: arrival(since: begun))
        }
    }

    // MARK: The exchange with the gateway

    /// Begins a sign-in and ends it at once.
    func check() async throws(AuthenticationError) {
        let signIn = try await begin { beginning }
        _ = try? await signIn.end(with: core.runtime.client)
    }

    private func begin(_ body: () -> JSONObject) async throws(AuthenticationError) -> PendingSignIn {
        do throws(GatewayCallError) {
            return try await PendingSignIn.begin(
                body, at: gateway.connection, apiKey: gateway.configuration.apiKey, with: core.runtime.client)
        } catch {
            throw AuthenticationError(error, redirectURI: core.settings.redirectURI)
        }
    }

    private var beginning: JSONObject {
        var body: JSONObject = [
            "app": .string(gateway.configuration.app ?? core.settings.bundleID),
            "scope": .string(request.sentScopes.text),
        ]
        body["redirect_uri"] = core.settings.redirectURI.map { .string($0.text) }
        body["prompt"] = request.prompt.map { .string($0.rawValue) }
        body["login_hint"] = request.loginHint.map { .string($0) }
        body["domain_hint"] = request.domainHint.map { .string($0) }
        body["claims"] = request.claims.map { .string($0.json) }
        body["acr_values"] = request.stepUp.acrValues.map { .string($0) }
        body["max_age"] = request.stepUp.maxAge.map { .integer($0) }
        body["authorization_details"] = request.stepUp.authorizationDetails.flatMap {
            try? JSONValue.parse(Array($0.utf8))
        }
        body["host_label"] = (gateway.configuration.hostLabel ?? Host.label).map { .string($0) }
        if !request.extraParameters.isEmpty {
            var extra = JSONObject()
            for (name, value) in request.extraParameters { extra[name] = .string(value) }
            body["extra_parameters"] = .object(extra)
        }
        return body
    }

    /// Begins, presents, waits, answers the question for the code, and takes the result. The result is acknowledged
    /// only once it was verified. A sign-in that does not end by itself is canceled at the gateway as well, so the page
    /// in the browser tells the truth.
    /// - Parameters:
    ///   - body: the content of each try to begin.
    ///   - take: makes the grant of the result and the redirect URI that the gateway chose.
    private func signIn(
        _ body: () -> JSONObject, present: (_ url: String) async throws(AuthenticationError) -> Void,
        take: (_ result: JSONObject, _ redirectURI: String) async throws(AuthenticationError) -> TokenGrant
    ) async throws(AuthenticationError) -> TokenGrant {
        let client = core.runtime.client
        let signIn = try await begin(body)
        core.log.info("the gateway began sign-in \(signIn.reference)")
        let outcome = Promise<Result<JSONObject, AuthenticationError>>()
        let wait = GatewayWait(core: core, signIn: signIn, releaseCode: request.releaseCode)
        let waiting = core.runtime.loop.start { outcome.fulfil(await wait.outcome()) }
        do throws(AuthenticationError) {
            // If the caller has given up, it must not see a browser open.
            guard !Task.isCancelled else { throw .canceled }
            try await present(signIn.startURL)
            let result = try await Deadline.value(of: outcome, before: request.deadline).get()
            let grant = try await take(result, signIn.redirectURI)
            _ = try? await signIn.end(with: client)
            return grant
        } catch {
            waiting.cancel()
            core.runtime.loop.start { _ = try? await signIn.end(with: client) }
            throw error
        }
    }
}

extension ClientCore {
    /// Verifies a gateway's result as an issuer's: the account, the client and the origin of the tokens. A gateway is
    /// not believed beyond the issuer's signature. On the network loop.
    /// - Parameter scopes: the scopes requested for the access token.
    func verified(
        _ response: TokenResponse, _ expectations: TokenExpectations, granting scopes: Scopes,
        _ correlationID: CorrelationID, boundTo key: Secret? = nil
    ) async throws(AuthenticationError) -> TokenGrant {
        do throws(SignInFailure) {
            let verified = try await runtime.redeemer.verify(
                response, against: expectations, secret: settings.configuration.clientAuthentication.secret)
            let isUnknown = verified.idTokenClaims == nil && !expectations.mayOmitIDToken
            let identity =
                isUnknown
                ? try await runtime.redeemer.identity(
                    by: response.accessToken, at: expectations.issuer,
                    proving: key.flatMap { PrivateKey(exported: $0) }.map { TokenBinding.key($0) })
                : nil
            var grant = TokenGrant(
                response, claims: verified.idTokenClaims, identity: identity, origin: verified.origin,
                requested: scopes, automatic: settings.automaticScopes, correlationID: correlationID.text)
            grant.bindingKey = key
            return grant
        } catch {
            throw AuthenticationError(error)
        }
    }

    /// The expectations for the tokens of a gateway.
    /// - Parameter sent: all scopes that the issuer was asked for.
    func expectations(_ authority: Authority, sent: Scopes, mayOmitIDToken: Bool = false) -> TokenExpectations {
        TokenExpectations(
            issuer: issuer(for: authority), clientID: settings.clientID, requestedScopes: sent,
            tenants: authority.tenants, mayOmitIDToken: mayOmitIDToken)
    }

    /// A fresh key for the tokens of a sign-in; nil for bearer tokens.
    /// - Throws: `internal` without memory for one. Then the sign-in ends before a request: its tokens would not be bound.
    func bindingKey() throws(AuthenticationError) -> PrivateKey? {
        guard settings.configuration.bindsTokens else { return nil }
        guard let key = PrivateKey() else {
            throw AuthenticationError(.internal, .unexpected, "no key for the tokens can be made")
        }
        return key
    }
}
