internal import SwitchyardCrypto
internal import SwitchyardHTTP
internal import SwitchyardJSON
internal import SwitchyardOAuth

/// The token endpoint (RFC 6749 section 3.2).
package struct TokenEndpoint: Sendable {
    let clients: ClientRegistry
    let grants: GrantStore
    let consents: ConsentStore
    let scopeRules: ScopeRules
    package let mint: TokenMint

    func respond(to request: Request, at address: IssuerAddress) -> Response {
        do throws(TokenError) {
            let issue = try settle(try TokenRequest(request))
            return .json(.ok, .object(try tokenResponse(for: issue, address)))
        } catch {
            return error.response
        }
    }

    private func tokenResponse(for issue: TokenIssue, _ address: IssuerAddress) throws(TokenError) -> JSONObject {
        do throws(DemoIssuerError) {
            return try mint.tokenResponse(for: issue, at: address)
        } catch {
            throw .serverError
        }
    }

    /// Authenticates the client and takes what it proves its right with: a code is used up then.
    /// - Parameter keepsRefreshToken: whether the refresh token stays good, because there will be no new one.
    package func settle(
        _ request: TokenRequest, keepsRefreshToken: Bool = false
    ) throws(TokenError) -> TokenIssue {
        guard let proof = request.proof else { throw .unsupportedGrantType }
        try request.client.authenticate(by: clients)
        switch proof {
        case .code(let code, let redirectURI, let verifier):
            let grant = try redeem(code, of: request, redirectURI: redirectURI, verifier: verifier)
            return try issue(grant, to: request, code: code)
        case .refreshToken(let token):
            return try issue(try refresh(token, of: request, keepsIt: keepsRefreshToken), to: request)
        }
    }

    /// - Parameter code: what the grant was redeemed with.
    package func issue(
        _ grant: Grant, to request: TokenRequest, code: String? = nil
    ) throws(TokenError) -> TokenIssue {
        let clientID = request.client.clientID
        return TokenIssue(
            grant: grant, clientID: clientID, scopes: try scopes(request, grant), code: code,
            claimsRequest: request.claimsRequest ?? grant.claimsRequest,
            wantsClientInfo: request.wantsClientInfo || grant.wantsClientInfo,
            family: clients.traits(of: clientID).family)
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

    /// The token must be of this client or of its family. A token that another client sends, or that asks for too much,
    /// stays valid.
    private func refresh(_ token: String, of request: TokenRequest, keepsIt: Bool) throws(TokenError) -> Grant {
        let clientID = request.client.clientID
        @Sendable func isGood(_ grant: Grant) -> Bool {
            grant.clientID == clientID || clients.areFamily(grant.clientID, clientID)
        }
        let found = grants.useRefreshToken(token, keepsIt: keepsIt) { grant in
            isGood(grant) && (try? scopes(request, grant)) != nil
        }
        guard let found else { throw .invalidRefreshToken }
        guard isGood(found) else {
            // Only a family has a name for this; a token of a single client is just not good.
            throw clients.traits(of: found.clientID).family == nil ? .invalidRefreshToken : .clientMismatch
        }
        return found
    }

    /// Everything that was asked for, or all that the grant stands for.
    private func scopes(_ request: TokenRequest, _ grant: Grant) throws(TokenError) -> Scopes {
        guard let asked = request.scopes else { return grant.scopes }
        let clientID = request.client.clientID
        let consented = ConsentedScopes(
            grant: grant.scopes, earlier: consents.scopes(of: grant.user, for: clientID),
            preconsent: clients.traits(of: clientID).preconsent, rules: scopeRules)
        guard let granted = consented.granted(asked) else { throw .invalidScope }
        return granted
    }
}
