internal import SwitchyardHTTPClient
internal import SwitchyardOAuth
internal import SwitchyardText
internal import Synchronization

extension Account {
    /// Calls an API with an access token. After a 401 with a claims challenge, it gets a token with those claims,
    /// silently or as ``APIRequest/interaction`` says, and calls once more. After a 401 that demands another sign-in
    /// (RFC 9470), the person signs in as ``APIRequest/interaction`` says.
    /// - Returns: the API's answer, also if it is an error.
    /// - Throws: the errors of getting a token, and `network` if the API does not answer.
    public func authorizedRequest(_ request: APIRequest) async throws(AuthenticationError) -> APIResponse {
        guard let core else {
            throw AuthenticationError(.invalidParameter, .accountRequired, "the account belongs to no application")
        }
        return try await core.authorizedRequest(request, for: self)
    }
}

extension ClientCore {
    fileprivate func authorizedRequest(
        _ request: APIRequest, for account: Account
    ) async throws(AuthenticationError) -> APIResponse {
        let first = try await acquireTokenSilent(SilentTokenParameters(scopes: request.scopes, account: account))
        let answer = try await send(request, first)
        guard answer.status == 401 else { return answer }
        if let header = answer.headers["www-authenticate"], let stepUp = StepUpRequest(wwwAuthenticate: header) {
            log.info("the API wants another sign-in")
            return try await send(request, try await signIn(for: request, account, stepUp))
        }
        guard let claims = Self.challenge(answer) else { return answer }
        log.info("the API wants further claims")
        let second = try await token(for: request, account, claims)
        return try await send(request, second)
    }

    private static func challenge(_ answer: APIResponse) -> ClaimsRequest? {
        guard let header = answer.headers["www-authenticate"],
            let claims = ClaimsChallenge(wwwAuthenticate: header)?.claims
        else { return nil }
        return try? ClaimsRequest(json: claims)
    }

    private func signIn(
        for request: APIRequest, _ account: Account, _ stepUp: StepUpRequest
    ) async throws(AuthenticationError) -> AuthenticationResult {
        guard var parameters = request.interaction else {
            var error = AuthenticationError(
                .interactionRequired, .stepUpRequired, "the API wants a stronger or more recent sign-in")
            error.stepUp = stepUp
            throw error
        }
        parameters.scopes = request.scopes
        parameters.account = account
        parameters.stepUp = stepUp
        return try await acquireToken(parameters)
    }

    private func token(
        for request: APIRequest, _ account: Account, _ claims: ClaimsRequest
    ) async throws(AuthenticationError) -> AuthenticationResult {
        do throws(AuthenticationError) {
            return try await acquireTokenSilent(
                SilentTokenParameters(scopes: request.scopes, account: account, claims: claims))
        } catch {
            guard error.code == .interactionRequired, var parameters = request.interaction else {
                var error = error
                error.claims = error.claims ?? claims
                throw error
            }
            parameters.scopes = request.scopes
            parameters.account = account
            parameters.claims = (parameters.claims ?? ClaimsRequest()).merging(error.claims ?? claims)
            return try await acquireToken(parameters)
        }
    }

    /// Sends a request, and once more if the API wants another nonce in the proof of possession (RFC 9449 section 9).
    private func send(
        _ request: APIRequest, _ token: AuthenticationResult
    ) async throws(AuthenticationError) -> APIResponse {
        let origin = (try? EndpointURL(request.url, allowingLoopbackHTTP: true))?.origin ?? request.url
        let nonce = proofNonces.withLock { $0[origin] }
        let answer = try await sendOnce(request, token, nonce)
        guard token.isBound, let next = remember(answer, of: origin), next != nonce, answer.status == 401,
            Self.wantsNonce(answer)
        else { return answer }
        let second = try await sendOnce(request, token, next)
        _ = remember(second, of: origin)
        return second
    }

    /// Keeps the nonce that an API wants in the next proof.
    /// - Returns: that nonce; nil without one.
    private func remember(_ answer: APIResponse, of origin: String) -> String? {
        guard let nonce = answer.headers["dpop-nonce"].flatMap({ ProofNonce($0) })?.text else { return nil }
        proofNonces.withLock { nonces in
            // An app calls few APIs. A memory that is full begins anew, which costs a request each.
            if nonces.count >= 64, nonces[origin] == nil { nonces = [:] }
            nonces[origin] = nonce
        }
        return nonce
    }

    private static func wantsNonce(_ answer: APIResponse) -> Bool {
        let header = answer.headers["www-authenticate"].flatMap { AuthenticateHeader($0) }
        return header?.challenges.contains {
            $0.scheme == "dpop" && $0.parameters["error"] == "use_dpop_nonce"
        } ?? false
    }

    private func sendOnce(
        _ request: APIRequest, _ token: AuthenticationResult, _ nonce: String?
    ) async throws(AuthenticationError) -> APIResponse {
        guard request.body == nil || ![.get, .delete].contains(request.method) else {
            throw AuthenticationError(
                .invalidParameter, .invalidParameter, "a \(request.method) request has no body (RFC 9110 section 9.3)")
        }
        guard !request.headers.contains(where: { ["authorization", "dpop"].contains($0.name.asciiLowercased) }) else {
            throw AuthenticationError(
                .invalidParameter, .invalidParameter, "the request has its own Authorization or DPoP header")
        }
        var headers = request.headers.map { ($0.name, $0.value) } + [("Authorization", token.authorizationHeader)]
        let proof = token.proof(method: request.method.description, url: request.url, nonce: nonce)
        guard !token.isBound || proof != nil else {
            throw AuthenticationError(.internal, .unexpected, "the key of the token cannot be used")
        }
        if let proof { headers.append(("DPoP", proof)) }
        let outgoing = OutgoingRequest(
            OutgoingRequest.Method(request.method), request.url, headers: headers, body: request.body,
            timeout: request.timeout, maximumBytes: 16 << 20, trustAnchor: settings.configuration.trustAnchor,
            route: settings.route,
            allowsPlainHTTP: settings.configuration.allowsLoopbackHTTP && Self.isLoopback(request.url),
            isSentOnce: token.isBound)
        return try await runtime.runDetachably { [runtime] () async throws(AuthenticationError) in
            do throws(TransferError) {
                let answer = try await runtime.client.send(outgoing)
                return APIResponse(status: answer.status, headers: answer.headers, body: answer.body)
            } catch {
                throw error.kind == .invalidRequest
                    ? AuthenticationError(.invalidParameter, .invalidParameter, error.message)
                    : AuthenticationError(.network, nil, error.message)
            }
        }
    }

    /// Parsed strictly, because the token goes there in plain text.
    private static func isLoopback(_ url: String) -> Bool {
        (try? EndpointURL(url, allowingLoopbackHTTP: true))?.isLoopback ?? false
    }
}

extension OutgoingRequest.Method {
    fileprivate init(_ method: APIRequest.Method) {
        switch method.name {
        case .get: self = .get
        case .post: self = .post
        case .put: self = .put
        case .patch: self = .patch
        case .delete: self = .delete
        }
    }
}
