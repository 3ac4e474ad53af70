internal import SwitchyardHTTP
internal import SwitchyardJOSE
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardRedemption
internal import SwitchyardRouting
internal import SwitchyardText

/// The one place that composes the authorization request of a sign-in. Where the app's requests are pushed, it asks the
/// issuer first (RFC 9126).
struct AuthorizationStart: Sendable {
    let exchange: Exchange
    let app: AppRegistration
    let issuer: Issuer
    let metadata: IssuerMetadata

    /// Whether the request goes to the issuer before the browser does.
    var isPushed: Bool { app.push.pushes(to: metadata) }

    /// The request that begins the sign-in at the issuer; nil with completion `response` and no challenge, because the app
    /// then composes its own.
    /// - Parameter lifetime: for how long yet the sign-in waits for its callback, in seconds.
    func request(
        _ secrets: RequestSecrets, scope: Scopes, redirectURI: RedirectURI, lifetime: Int64
    ) -> AuthorizationRequest? {
        let challenge = secrets.challenge ?? secrets.verifier.flatMap { PKCE(verifier: $0)?.challenge }
        guard let challenge else { return nil }
        var request = AuthorizationRequest(
            authorizationEndpoint: metadata.authorizationEndpoint, clientID: app.clientID, redirectURI: redirectURI,
            scope: scope, state: secrets.state, codeChallenge: challenge, nonce: secrets.nonce,
            responseMode: app.responseMode.requested, profile: exchange.setup.profile(of: app))
        request.stepUp = StepUp(in: secrets.parameters)
        request.keyThumbprint = secrets.privateKey?.publicKey.thumbprintText
        for parameter in secrets.parameters where !StepUp.names.contains(parameter.name) {
            switch parameter.name {
            case "dpop_jkt": request.keyThumbprint = parameter.value
            case "prompt": request.prompt = parameter.value
            case "login_hint": request.loginHint = parameter.value
            case "domain_hint": request.domainHint = parameter.value
            case "claims": request.claims = parameter.value
            default: request.extra.append((parameter.name, parameter.value))
            }
        }
        guard app.signsRequests, let key = app.keys.signing.first else { return request }
        let now = WallTime.now().seconds
        request.signing = RequestSigning(with: key, for: metadata, expires: now + max(lifetime, 1))
        // Each push signs anew.
        return isPushed ? request : request.signed(now: now)
    }

    /// The request of a sign-in that was begun; nil as for ``request(_:scope:redirectURI:lifetime:)``.
    func request(of record: RequestRecord) -> AuthorizationRequest? {
        guard let secrets = exchange.registry.secrets(of: record), let redirectURI = record.redirect else { return nil }
        let lifetime = (record.expiresAt.milliseconds - exchange.registry.now.milliseconds) / 1000
        return request(
            secrets, scope: Scopes(parsing: record.scope), redirectURI: redirectURI, lifetime: lifetime)
    }

    /// Pushes the request. A gateway that stops waits for the answer.
    /// - Parameter key: the key to which the tokens will be bound; nil for bearer tokens, and where the app has it.
    func push(
        _ request: AuthorizationRequest, proving key: PrivateKey?, in trace: TraceContext?
    ) async throws(SignInFailure) -> PushedRequest {
        var push = PushRequest(request, to: issuer, authentication: app.clientAuthentication)
        push.binding = key.map { .key($0) }
        if let trace { push.headers.append(FormField("traceparent", trace.makeTraceparent())) }
        return try await exchange.core.work.during { () async throws(SignInFailure) in
            try await exchange.worker.redeemer.push(push)
        }
    }
}

extension AuthorizationStart {
    /// Finds the app's issuer, and fetches its metadata if necessary.
    init(_ exchange: Exchange, _ app: AppRegistration) async throws(APIError) {
        guard !app.takesAnyIssuer else {
            throw .invalidRequest("\"\(app.id)\" takes any issuer, so only the app itself can compose this request")
        }
        guard let issuer = exchange.setup.issuer(of: app) else {
            throw APIError(.internalServerError, "server_error", "the app's issuer is not set up")
        }
        do throws(IssuerUnavailableError) {
            self.init(
                exchange: exchange, app: app, issuer: issuer,
                metadata: try await exchange.worker.redeemer.metadata(for: issuer))
        } catch {
            throw APIError(
                .serviceUnavailable, "temporarily_unavailable", error.description, retryAfter: error.retryAfter)
        }
    }
}

extension AuthorizationStart {
    /// The next address of the browser, or the reason why it cannot go to the issuer.
    enum Destination {
        /// The issuer, at this address.
        case open(String)
        /// The issuer has refused the request, which ended the sign-in.
        case refused(SignInFailure)
        /// The issuer does not answer now; the sign-in is still pending.
        case unavailable(SignInFailure)
        /// The sign-in no longer waits for its callback, or was pushed as often as it may be.
        case over
    }

    /// Finds the next address for the browser of a sign-in that was begun. Pushes the request first, if it is pushed at all.
    func destination(
        of request: AuthorizationRequest, _ record: RequestRecord
    ) async throws(StoreError) -> Destination {
        guard isPushed else { return .open(request.url) }
        let registry = exchange.registry
        switch try await registry.permitPush(record) {
        case .granted: break
        case .exhausted(let last): return last.map { .open(request.url(of: $0)) } ?? .over
        case .over: return .over
        }
        do throws(SignInFailure) {
            let key = registry.secrets(of: record)?.privateKey
            let pushed = try await push(request, proving: key, in: record.trace)
            try? await registry.pushed(pushed, record)
            return .open(request.url(of: pushed))
        } catch {
            guard error.isRefusal else {
                try await registry.pushBroughtNoAnswer(record)
                return .unavailable(error)
            }
            let note = SignInFailureNote(error, issuer: app.issuer)
            // No person has signed in yet, so the app may know all of the issuer's words.
            let result = try await registry.refusePush(
                record, error.code, answer: AppResponse.body(of: error)
            ) { [events = exchange.events] in events.report(.failed(note), of: $0) }
            if case .failure = result { return .over }
            return .refused(error)
        }
    }
}
