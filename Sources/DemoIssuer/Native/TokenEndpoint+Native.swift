internal import SwitchyardHTTP
internal import SwitchyardJSON
internal import SwitchyardOAuth

/// The end of a sign-in within an app.
extension TokenEndpoint {
    enum NativeOutcome {
        case grant(Grant)
        /// Something is missing still.
        case answer(Response)
    }

    func signIn(
        _ proof: NativeProof, of request: TokenRequest, at address: IssuerAddress
    ) throws(TokenError) -> NativeOutcome {
        guard address.authority.takesNativeSignIns else { throw .unsupportedGrantType }
        let clientID = request.client.clientID
        guard let outcome = sessions.advance(proof.continuationToken, of: clientID, proof.move) else {
            throw .invalidContinuationToken
        }
        switch outcome.move {
        case .finish: return .grant(grant(to: outcome.session.user.person, request))
        case .redirect: return .answer(.json(.ok, .object(NativeEndpoint.redirect)))
        case .refuse(let error): throw error
        case .proceed:
            var members = TokenError.secondFactorRequired.members
            members["continuation_token"] = outcome.continuationToken.map { .string($0) }
            return .answer(TokenError.secondFactorRequired.response(members))
        }
    }

    /// There is no page that could ask for consent: the app has what it asks for.
    private func grant(to user: DemoUser, _ request: TokenRequest) -> Grant {
        let scopes = request.scopes ?? Scopes(parsing: "openid")
        consents.add(scopes, by: user, to: request.client.clientID)
        return Grant(
            clientID: request.client.clientID, redirectURI: "", scopes: scopes, nonce: nil, codeChallenge: nil,
            user: user)
    }
}
