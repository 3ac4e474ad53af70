internal import SwitchyardCrypto
internal import SwitchyardHTTP
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardPendingRequests
internal import SwitchyardRedemption
internal import SwitchyardRouting
internal import SwitchyardText

/// `POST /v1/tokens` and `POST /v1/revocations`: refreshes and revocations for an app that cannot authenticate itself,
/// because only the gateway has its client secret. The gateway keeps no part of them.
struct TokensEndpoint: Sendable {
    let exchange: Exchange

    /// The parts that both calls need.
    private struct Call {
        let app: AppRegistration
        let issuer: Issuer
        let metadata: IssuerMetadata
        let token: Secret
        /// The caller's slot among the waiting apps, for as long as the call lasts.
        let slot: WaitingCounter.Slot
    }

    /// The longest token that is sent on, in bytes. Tokens of known issuers are shorter than a tenth of it.
    private static let maximumTokenSize = 32 * 1024

    // MARK: Refresh

    /// Exchanges a refresh token, at most once (rules: exactly once): this answer holds the only copy of the new one.
    func refresh() async throws -> Response {
        let content = try content(["app", "resource", "issuer", "refresh_token", "scope", "claims", "dpop"])
        let proof = try content.proof()
        let scope = try content.scope() ?? Scopes(parsing: "")
        let claims = try BeginParameters.claims(content)
        let call = try await call(content, token: "refresh_token")
        if proof == nil, try await exchange.bindsTokens(of: call.app, call.metadata) {
            throw APIError.invalidRequest(
                "\"dpop\" is missing: these tokens are bound to a key (dpop), which has to prove the request (RFC 9449)"
            )
        }
        var request = RedemptionRequest(
            .refreshToken(call.token),
            expecting: TokenExpectations(
                issuer: call.issuer, clientID: call.app.clientID, requestedScopes: scope,
                tenants: .only(call.app.tenants)),
            authentication: call.app.clientAuthentication,
            parameters: claims.map { [FormField("claims", $0)] } ?? [])
        request.binding = proof.map { .proof($0) }
        request.expectations.decryption = call.app.tokenHandling.decryption
        request.headers = headers
        do throws(SignInFailure) {
            // A gateway that stops waits for it: a token that rotates is lost with its answer.
            let tokens = try await exchange.core.work.during(holding: call.slot) {
                () async throws(SignInFailure) in
                try await exchange.worker.redeemer.redeem(request)
            }
            report(.refreshed, call)
            await note(call) { await $0.use($1, $2) }
            var answer = AppResponse.completed(tokens).naming(call.app.grant)
            answer["dpop_nonce"] = tokens.proofNonce.map { .string($0.text) }
            return .json(.ok, answer)
        } catch {
            report(.refreshed, call, error)
            if error.code == .invalidClient { await note(call) { await $0.refuse($1, $2) } }
            return error.response
        }
    }

    // MARK: Revocation

    /// RFC 7009.
    func revoke() async throws -> Response {
        let content = try content(["app", "resource", "issuer", "token", "token_type_hint", "dpop"])
        let proof = try content.proof()
        let hint = try content.text("token_type_hint", maximum: 64)
        let call = try await call(content, token: "token")
        guard let endpoint = call.metadata.endpoints(for: call.app.clientAuthentication).revocation else {
            throw APIError.notRevocable
        }
        var request = RevocationRequest(
            call.token, of: call.app.clientID, at: call.issuer, authentication: call.app.clientAuthentication,
            tokenTypeHint: hint)
        // No RFC asks for a proof here, but Shibboleth can (keycloak/keycloak#44027 says so, read 2026-11-28).
        request.binding = proof.map { .proof($0) }
        request.headers = headers
        do throws(SignInFailure) {
            try await exchange.core.work.during(holding: call.slot) { () async throws(SignInFailure) in
                try await exchange.worker.redeemer.revoke(request, at: endpoint)
            }
            report(.revoked, call)
            return .noContent()
        } catch {
            report(.revoked, call, error)
            // RFC 7009 section 2.2.1.
            if error.oauthError?.text == "unsupported_token_type" { throw APIError.notRevocable }
            return error.response
        }
    }

    // MARK: Both

    private func content(_ known: Set<String>) throws(APIError) -> JSONContent {
        if let seconds = exchange.limit(by: exchange.setup.beginLimiter) {
            throw .tooMany("this address asks too fast", .beginRate, retryAfter: seconds)
        }
        return try JSONContent(of: exchange.request, known: known)
    }

    /// A caller that may not begin a sign-in may not use its tokens either: both borrow the app's secret.
    private func call(_ content: JSONContent, token name: String) async throws(APIError) -> Call {
        let (named, found) = try BeginParameters.subject(content, exchange.setup.routes)
        var app = named
        let id = app.id.text
        let token = try content.requiredText(name, maximum: Self.maximumTokenSize)
        guard FormEncoding.encode(token).utf8.count <= Self.maximumTokenSize else {
            throw .invalidRequest("\"\(name)\" is too long to be sent on")
        }
        try UseAuthorization(exchange: exchange).check(app, .ownTokens)
        _ = try BeginAuthorization(exchange: exchange).check(app)
        let issuerName = try content.text("issuer", maximum: 2048)
        if var named = found {
            named.mayRegister = false
            app = try await ResourceSignIn(exchange: exchange, entry: app).prepare(named).app
            // A resource that names another server by now must not get the tokens of the one before.
            if let issuerName, app.grant?.metadata.issuer.isExactly(issuerName) == false {
                throw APIError(
                    .badRequest, "issuer_not_allowed",
                    "\"issuer\": the resource names another authorization server by now: begin a sign-in")
            }
        } else if issuerName != nil {
            throw .invalidRequest("\"issuer\" is of use only together with \"resource\"")
        }
        guard app.clientAuthentication != .none || found != nil else {
            throw .invalidRequest(
                "\"app\": \"\(id)\" has no client authentication, so it needs no gateway for this: it asks its issuer "
                    + "itself, with its client_id alone")
        }
        guard let issuer = exchange.setup.issuer(of: app) else {
            throw APIError(.internalServerError, "server_error", "the app's issuer is not set up")
        }
        guard let slot = exchange.core.waiting.slot(for: exchange.caller.key) else {
            throw .tooMany("this address waits for as many answers as it may", .waitingPerAddress, retryAfter: 5)
        }
        do throws(IssuerUnavailableError) {
            let metadata = try await exchange.worker.redeemer.metadata(for: issuer)
            return Call(app: app, issuer: issuer, metadata: metadata, token: Secret(token), slot: slot)
        } catch {
            throw APIError(
                .serviceUnavailable, "temporarily_unavailable", error.description, retryAfter: error.retryAfter)
        }
    }

    private var headers: [FormField] {
        exchange.trace.map { [FormField("traceparent", $0.makeTraceparent())] } ?? []
    }

    /// Tells the registered client of a resource how it fared.
    private func note(
        _ call: Call, _ tell: (ClientRegistrations, ShortDigest, String) async -> Void
    ) async {
        guard let grant = call.app.grant, let uri = call.app.redirectURIs.first else { return }
        await tell(
            exchange.registrations, ClientRegistrations.key(grant.metadata.issuer, uri), grant.clientID)
    }

    private func report(_ use: TokenUse, _ call: Call, _ failure: SignInFailure? = nil) {
        exchange.events.report(
            .token(
                use, failure: failure.map { SignInFailureNote($0, issuer: call.app.issuer) }, app: call.app.id,
                from: exchange.caller), in: exchange.trace)
    }
}

extension JSONContent {
    /// `dpop`: the proof that an app has made for an endpoint of the issuer; nil where it is left out.
    fileprivate func proof() throws(APIError) -> Secret? {
        guard let text = try text("dpop", maximum: 8 * 1024) else { return nil }
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty && Base64URL.decode(String($0)) != nil }) else {
            throw .invalidRequest("\"dpop\" is no proof of possession: three parts of base64url (RFC 9449 section 4.2)")
        }
        return Secret(text)
    }
}

extension APIError {
    /// RFC 7009 section 2.2.1.
    fileprivate static let notRevocable = APIError(
        .badRequest, "unsupported_token_type",
        "the app's issuer does not revoke such tokens (it names no revocation_endpoint, or refuses): forget the token, which "
            + "ends by itself")
}

extension SignInFailure {
    /// The answer of a call that failed at the issuer.
    fileprivate var response: Response {
        var answer = AppResponse.failed(self)
        answer["dpop_nonce"] = proofNonce.map { .string($0.text) }
        var response = Response.json(status, answer)
        if let retryAfter { response.add("Retry-After", String(retryAfter)) }
        return response
    }
}
