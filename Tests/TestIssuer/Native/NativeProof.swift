internal import SwitchyardDemoIssuer
internal import SwitchyardHTTP
internal import SwitchyardJSON
internal import SwitchyardOAuth

/// The proof by which an app ends a sign-in at the token endpoint.
struct NativeProof: Sendable {
    enum Evidence: Sendable {
        case password(String)
        case code(String)
        case secondCode(String)
        /// The earlier steps are enough.
        case none
    }

    let continuationToken: String
    /// Must be the one that the sign-in began with, if it is sent again.
    let username: String?
    let evidence: Evidence

    /// nil for a request without such a proof.
    init?(_ kind: RequestKind, _ parameters: RequestParameters) throws(TokenError) {
        switch kind {
        case .password: evidence = .password(try TokenRequest.required("password", parameters))
        case .oneTimeCode: evidence = .code(try TokenRequest.required("oob", parameters))
        case .secondFactorCode: evidence = .secondCode(try TokenRequest.required("oob", parameters))
        case .continuation: evidence = .none
        case .authorizationCode, .refreshToken, .initiate, .challenge, .introspect, .revocation: return nil
        }
        continuationToken = try TokenRequest.required("continuation_token", parameters)
        username = parameters["username"]
    }

    /// The effect of this proof on the sign-in of the continuation token.
    func move(_ session: NativeSession) -> NativeSession.Move {
        if let username, DemoUser(named: username).username != session.user.person.username {
            return .refuse(.invalidContinuationToken)
        }
        switch (session.step, evidence) {
        case (.password, .password(let text)): return move(session, password: text)
        case (.code(let right), .code(let text)), (.secondCode(let right), .secondCode(let text)):
            return OneTimeCode.isEqual(right, text) ? .finish : .refuse(.wrongCode)
        case (.ready, .none): return .finish
        default: return .refuse(.invalidContinuationToken)
        }
    }

    private func move(_ session: NativeSession, password: String) -> NativeSession.Move {
        guard session.user.isPassword(password) else { return .refuse(.wrongPassword) }
        switch session.user.way {
        case .password: return .finish
        case .mfa: return session.handlesSecondFactor ? .proceed(.secondFactor) : .redirect
        case .reset: return .refuse(.passwordResetRequired)
        case .code, .redirect: return .refuse(.invalidContinuationToken)
        }
    }
}

/// The end of a sign-in within an app.
struct NativeGrants: Sendable {
    let issuer: DemoIssuer
    let sessions: NativeSessions

    enum Outcome {
        case issue(TokenIssue)
        /// Something is missing still.
        case answer(Response)
    }

    func settle(
        _ proof: NativeProof, of request: TokenRequest, at address: IssuerAddress
    ) throws(TokenError) -> Outcome {
        try request.client.authenticate(by: issuer.clients)
        guard let shape = address.authority as? TenantShape, shape.tenant.isOrganization else {
            throw .unsupportedGrantType
        }
        let clientID = request.client.clientID
        guard let outcome = sessions.advance(proof.continuationToken, of: clientID, proof.move) else {
            throw .invalidContinuationToken
        }
        switch outcome.move {
        case .finish:
            return .issue(try issuer.token.issue(grant(to: outcome.session.user.person, request), to: request))
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
        issuer.consents.add(scopes, by: user, to: request.client.clientID)
        return .direct(clientID: request.client.clientID, scopes: scopes, user: user)
    }
}

/// The errors of native authentication, with Microsoft's numbers.
extension TokenError {
    static let noNativeSignIns = TokenError("invalid_request", "Native authentication is at the address of one tenant.")
    static let unsupportedChallengeType = TokenError(
        "unsupported_challenge_type", "The challenge_type must hold redirect, and nothing that is unknown.")
    static let unknownUser = TokenError("invalid_grant", "Nobody has this username.", codes: [50034])
    static let wrongPassword = TokenError("invalid_grant", "The password is wrong.", codes: [50126])
    static let passwordResetRequired = TokenError("invalid_request", "The password has to be changed.", codes: [50142])
    static let wrongCode = TokenError(
        "invalid_grant", "The code is wrong.", suberror: "invalid_oob_value", codes: [50181])
    static let secondFactorRequired = TokenError(
        "invalid_grant", "A second factor is required.", suberror: "mfa_required", codes: [50076])
    static let unknownSecondFactor = TokenError("invalid_request", "The id is of no second factor.")
    static let invalidContinuationToken = TokenError(
        "invalid_grant", "The continuation_token is unknown, expired, used, of another client or of another step.")
}
