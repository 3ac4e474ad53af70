internal import SwitchyardCrypto
internal import SwitchyardHTTP
internal import SwitchyardJSON
internal import SwitchyardOAuth

/// The token endpoint (RFC 6749 section 3.2).
struct TokenEndpoint: Sendable {
    let clients: ClientRegistry
    let grants: GrantStore
    let consents: ConsentStore
    let mint: TokenMint
    /// Of sign-ins within apps.
    let sessions: NativeSessions
    let script: TokenScript
    let statistics: Statistics

    func respond(to request: Request, at address: IssuerAddress) async -> Response {
        statistics.count(.tokenRequests)
        do throws(TokenError) {
            let tokenRequest = try TokenRequest(request)
            if case .code(let code, _, _) = tokenRequest.proof { statistics.count(redemptionOf: code) }
            statistics.count(tokenRequest.kind, of: tokenRequest.client.clientID)
            guard let scripted = script.next(tokenRequest.client.clientID, tokenRequest.kind) else {
                return try await answer(tokenRequest, Misbehaviors(), request.connection, address)
            }
            await Self.wait(scripted.delay, orUntilPeerGoes: request.connection)
            if let response = scripted.response(to: request) { return response }
            var response: Response
            do throws(TokenError) {
                response = try await answer(tokenRequest, scripted.misbehaviors, request.connection, address)
            } catch {
                response = error.response
            }
            scripted.addRetryAfter(to: &response)
            return response
        } catch {
            return error.response
        }
    }

    private func answer(
        _ request: TokenRequest, _ scripted: Misbehaviors, _ connection: ConnectionContext, _ address: IssuerAddress
    ) async throws(TokenError) -> Response {
        try request.client.authenticate(by: clients)
        var misbehaviors = request.misbehaviors.merging(scripted)
        let grant: Grant
        var usedCode: String?
        switch request.proof {
        case .code(let code, let redirectURI, let verifier):
            usedCode = code
            grant = try redeem(code, of: request, redirectURI: redirectURI, verifier: verifier)
            misbehaviors = grant.misbehaviors.merging(misbehaviors)
        case .refreshToken(let token):
            grant = try refresh(token, of: request, misbehaviors)
        case .native(let proof):
            // Before anything is used up, if it is to fail for a moment only.
            if !misbehaviors.tokenAnswer.isDisjoint(with: TokenAnswerMisbehavior.keepingRefreshToken),
                let failure = await failure(misbehaviors.tokenAnswer, connection, address)
            {
                return failure
            }
            switch try signIn(proof, of: request, at: address) {
            case .grant(let native): grant = native
            case .answer(let response): return response
            }
        }
        if let failure = await failure(misbehaviors.tokenAnswer, connection, address) { return failure }
        let issue = TokenIssue(
            grant: grant, clientID: request.client.clientID, scopes: try scopes(request, grant, misbehaviors),
            code: usedCode, claimsRequest: request.claimsRequest ?? grant.claimsRequest,
            wantsClientInfo: request.wantsClientInfo || grant.wantsClientInfo,
            family: clients.traits(of: request.client.clientID).family, misbehaviors: misbehaviors)
        return try tokenResponse(for: issue, address)
    }

    /// The code must be of this client and this redirect URI (RFC 6749 section 4.1.3), and the verifier must belong to
    /// the challenge (RFC 7636 section 4.6). A code that was sent without being so is used up.
    private func redeem(
        _ code: String, of request: TokenRequest, redirectURI: String, verifier: PKCE?
    ) throws(TokenError) -> Grant {
        guard let grant = grants.useCode(code), grant.clientID == request.client.clientID,
            grant.redirectURI == redirectURI
        else { throw .invalidCode }
        // Also when there is a verifier without a challenge (RFC 9700 section 2.1.1).
        guard verifier?.challenge == grant.codeChallenge else { throw .wrongVerifier }
        return grant
    }

    private func tokenResponse(for issue: TokenIssue, _ address: IssuerAddress) throws(TokenError) -> Response {
        let content: JSONObject
        do throws(DemoIssuerError) {
            content = try mint.tokenResponse(for: issue, at: address)
        } catch {
            throw .serverError
        }
        statistics.count(.tokenResponses)
        return issue.misbehaviors.tokenResponse.response(content)
    }
}
