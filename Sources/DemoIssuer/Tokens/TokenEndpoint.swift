internal import Crypto
internal import HTTP
internal import JSON
internal import OAuth

/// The token endpoint (RFC 6749 section 3.2).
struct TokenEndpoint: Sendable {
    let clients: ClientRegistry
    let grants: GrantStore
    let mint: TokenMint
    let statistics: Statistics

    func respond(to request: Request, at address: IssuerAddress) async -> Response {
        statistics.count(.tokenRequests)
        do throws(TokenError) {
            let tokenRequest = try TokenRequest(request)
            if case .code(let code, _, _) = tokenRequest.proof { statistics.count(redemptionOf: code) }
            try tokenRequest.client.authenticate(by: clients)
            let clientID = tokenRequest.client.clientID
            switch tokenRequest.proof {
            case .code(let code, let redirectURI, let verifier):
                let grant = try redeem(code, clientID: clientID, redirectURI: redirectURI, verifier: verifier)
                if let failure = await failure(grant.misbehaviors.tokenAnswer, request.connection, address) {
                    return failure
                }
                return try tokenResponse(for: grant, scopes: Self.granted(grant), code: code, address)
            case .refreshToken(let token, let scopes):
                guard let grant = grants.useRefreshToken(token), grant.clientID == clientID else {
                    throw .invalidRefreshToken
                }
                return try tokenResponse(for: grant, scopes: Self.narrowed(grant, to: scopes), code: nil, address)
            }
        } catch {
            return error.response
        }
    }

    /// The code must be of this client and this redirect URI (RFC 6749 section 4.1.3), and the verifier must belong to
    /// the challenge (RFC 7636 section 4.6). A code that was sent without being so is used up.
    private func redeem(
        _ code: String, clientID: String, redirectURI: String, verifier: PKCE?
    ) throws(TokenError) -> Grant {
        guard let grant = grants.useCode(code), grant.clientID == clientID, grant.redirectURI == redirectURI else {
            throw .invalidCode
        }
        // Also when there is a verifier without a challenge (RFC 9700 section 2.1.1).
        guard verifier?.challenge == grant.codeChallenge else { throw .wrongVerifier }
        return grant
    }

    private func tokenResponse(
        for grant: Grant, scopes: Scopes, code: String?, _ address: IssuerAddress
    ) throws(TokenError) -> Response {
        let content: JSONObject
        do throws(DemoIssuerError) {
            content = try mint.tokenResponse(for: grant, scopes: scopes, code: code, issuer: address.issuer)
        } catch {
            throw .serverError
        }
        statistics.count(.tokenResponses)
        return grant.misbehaviors.tokenResponse.response(content)
    }

    /// Everything that was asked for, but for what ``TokenResponseMisbehavior/fewerScopes`` takes away.
    private static func granted(_ grant: Grant) -> Scopes {
        let names = grant.scopes.names
        let lastResource = names.lastIndex { !Scopes.reserved.contains($0) && !Misbehaviors.isRequested(byScope: $0) }
        guard grant.misbehaviors.tokenResponse.contains(.fewerScopes), let lastResource else { return grant.scopes }
        return Scopes(parsing: (names[..<lastResource] + names[(lastResource + 1)...]).joined(separator: " "))
    }

    /// RFC 6749 section 6: a refresh may ask for less, never for more.
    private static func narrowed(_ grant: Grant, to scopes: Scopes?) throws(TokenError) -> Scopes {
        guard let scopes else { return grant.scopes }
        guard scopes.names.allSatisfy(grant.scopes.contains) else { throw .invalidScope }
        return scopes
    }
}
