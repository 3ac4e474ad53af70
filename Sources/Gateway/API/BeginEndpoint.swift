internal import SwitchyardConfiguration
internal import SwitchyardCrypto
internal import SwitchyardHTTP
internal import SwitchyardJOSE
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRedemption
internal import SwitchyardRouting

/// `POST /v1/requests`: begins a pending token request.
struct BeginEndpoint: Sendable {
    let exchange: Exchange

    func begin() async throws -> Response {
        if let seconds = exchange.limit(by: exchange.setup.beginLimiter) {
            throw APIError.tooMany("this address begins sign-ins too fast", .beginRate, retryAfter: seconds)
        }
        var parameters = try BeginParameters(
            exchange.request, routes: exchange.setup.routes,
            servesBrowsers: exchange.setup.configuration.servesBrowsers,
            keepsTokens: exchange.core.agent != nil, binds: exchange.setup.bindsTokens(of:))
        let isAuthenticated = try authorize(parameters)
        let port = try await prepareResource(&parameters)
        // An app of any issuer composes its own authorization request.
        let start = parameters.app.takesAnyIssuer ? nil : try await AuthorizationStart(exchange, parameters.app)
        var secrets = try await secrets(for: parameters, start?.metadata)
        let remote = try await remote(for: parameters, secrets)
        secrets.remoteSignIn = remote?.resumption
        secrets.grant = parameters.app.grant?.sealable
        let lifetime = remote?.lifetime ?? exchange.setup.configuration.limits.requestLifetime
        let request = start?.request(
            secrets, scope: parameters.scope, redirectURI: parameters.redirectURI,
            lifetime: lifetime.components.seconds)
        do {
            var beginning = beginning(parameters, secrets, isAuthenticated: isAuthenticated, remote)
            beginning.pushed = try await push(request, proving: secrets.privateKey, start, remote)
            let (record, token) = try await exchange.registry.begin(beginning).get()
            exchange.events.report(.begun(from: exchange.caller), of: record)
            port?.wait(for: record.id)
            remote?.follow(record, on: exchange.worker)
            let begun = BegunSignIn(
                record: record, resultToken: token, state: secrets.state, request: request, pushed: beginning.pushed,
                isPushed: start?.isPushed == true, requiresStart: parameters.app.requiresStart, remote: remote)
            return begun.response(exchange.setup)
        } catch {
            remote?.cancel(on: exchange.worker)
            if let refusal = error as? InsertionRefusal { throw APIError(refusal, of: parameters.app.id) }
            throw error
        }
    }

    /// Refuses a caller that may not begin sign-ins of the app.
    /// - Returns: whether `begin_from` vouched for the caller.
    private func authorize(_ parameters: BeginParameters) throws(APIError) -> Bool {
        try UseAuthorization(exchange: exchange).check(parameters.app, .ownTokens)
        let isAuthenticated = try BeginAuthorization(exchange: exchange).check(parameters.app)
        let group = WrongProofs.Group(app: parameters.app.id, exchange.caller.key)
        if let seconds = exchange.core.wrongProofs.wait(group, at: exchange.registry.now) {
            throw .tooManyWrongProofs(of: parameters.app.id, retryAfter: seconds)
        }
        return isAuthenticated
    }

    /// Finds the issuer and the client of the resource, if the call names one.
    /// - Returns: the port that is open for the callback; nil if none is needed.
    private func prepareResource(_ parameters: inout BeginParameters) async throws(APIError) -> CallbackPorts
        .Reservation?
    {
        guard let named = parameters.named else { return nil }
        let prepared = try await ResourceSignIn(exchange: exchange, entry: parameters.app).prepare(named)
        parameters.app = prepared.app
        parameters.scope = prepared.scope
        parameters.redirectURI = prepared.redirectURI
        return prepared.port
    }

    /// The secrets of the request, with a key if its tokens will be bound to one.
    private func secrets(
        for parameters: BeginParameters, _ metadata: IssuerMetadata?
    ) async throws(APIError) -> RequestSecrets {
        var secrets = Self.secrets(for: parameters)
        guard try await exchange.bindsTokens(of: parameters.app, metadata) else { return secrets }
        try parameters.checkBinding()
        if case .tokens = parameters.mode {
            guard let key = PrivateKey()?.exported else {
                throw APIError(.internalServerError, "server_error", "no key for the request can be made")
            }
            secrets.bindingKey = key
        }
        return secrets
    }

    private func beginning(
        _ parameters: BeginParameters, _ secrets: RequestSecrets, isAuthenticated: Bool, _ remote: RemoteSignIn?
    ) -> RequestRegistry.Beginning {
        let (setup, caller) = (exchange.setup, exchange.caller)
        var beginning = RequestRegistry.Beginning(
            app: parameters.app.id, registration: setup.registration(of: parameters.app),
            redirectURI: parameters.redirectURI.text,
            completion: parameters.completion, scope: parameters.scope.text, hostLabel: parameters.hostLabel,
            beginner: RequestRecord.Beginner(
                callerKey: caller.key.text, address: caller.address?.description,
                isAddressUnknown: exchange.peerAddress == nil, uid: caller.uid, isAuthenticated: isAuthenticated),
            proofKey: parameters.isProofNeeded ? parameters.resultKey?.thumbprint : nil, secrets: secrets,
            trace: exchange.trace?.recorded(
                onlyIf: isAuthenticated || exchange.peerAddress == .thisMachine || caller.isProxied))
        if let remote {
            beginning.reference = remote.reference
            // The other gateway decides about its end, because that one may hold a code of the last moment.
            beginning.lifetime = remote.lifetime + setup.configuration.limits.releaseLifetime
        }
        return beginning
    }

    /// The part of the sign-in that is another gateway's; nil where callbacks come here.
    private func remote(
        for parameters: BeginParameters, _ secrets: RequestSecrets
    ) async throws(APIError) -> RemoteSignIn? {
        guard exchange.core.agent != nil, let gateway = parameters.app.gateway(at: parameters.redirectURI) else {
            return nil
        }
        return try await RemoteBegin(exchange: exchange, gateway: gateway).begin(parameters, secrets)
    }

    /// Pushes a request that no page of ours starts; nil for any other.
    private func push(
        _ request: AuthorizationRequest?, proving key: PrivateKey?, _ start: AuthorizationStart?,
        _ remote: RemoteSignIn?
    ) async throws(APIError) -> PushedRequest? {
        guard let request, let start, start.isPushed else { return nil }
        guard start.metadata.endpoints(for: start.app.clientAuthentication).pushedRequest != nil else {
            throw APIError(
                .internalServerError, "server_error",
                "the app's requests have to be pushed (par), and its issuer \"\(start.app.issuer)\" names no "
                    + "pushed_authorization_request_endpoint")
        }
        guard remote.map({ !$0.mustStartThere }) ?? !exchange.setup.configuration.servesBrowsers else { return nil }
        do throws(SignInFailure) {
            return try await start.push(request, proving: key, in: exchange.trace)
        } catch {
            throw APIError(push: error)
        }
    }

    private static func secrets(for parameters: BeginParameters) -> RequestSecrets {
        switch parameters.mode {
        case .tokens:
            let nonce = parameters.scope.contains("openid") ? Random.token() : nil
            return RequestSecrets(
                state: Random.token(), verifier: PKCE().verifier, challenge: nil, nonce: nonce,
                resultKey: parameters.resultKey?.jwk,
                returnPort: parameters.returnPort, parameters: parameters.parameters,
                tokenParameters: parameters.tokenParameters)
        case .response(let state, let challenge, let nonce):
            return RequestSecrets(
                state: state, verifier: nil, challenge: challenge, nonce: nonce,
                resultKey: parameters.resultKey?.jwk,
                returnPort: parameters.returnPort, parameters: parameters.parameters)
        }
    }
}
