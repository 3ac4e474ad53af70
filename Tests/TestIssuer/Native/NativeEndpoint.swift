internal import SwitchyardDemoIssuer
internal import SwitchyardHTTP
internal import SwitchyardJSON

/// The endpoints with which an app signs people in by itself, in the way of Microsoft's native authentication:
/// `initiate` begins, `challenge` says what is wanted, `introspect` lists second factors, and the token endpoint ends
/// it. Each answer has the continuation token for the next request, which is good for one step.
struct NativeEndpoint: Sendable {
    let sessions: NativeSessions

    private static let secondFactorCapability = "mfa_required"
    private static let secondFactorID = "email-1"

    /// The endpoint of a path such as `/{tenant}/oauth2/v2.0/initiate`.
    struct Address {
        let tenant: Tenant
        /// ``RequestKind/initiate``, ``RequestKind/challenge`` or ``RequestKind/introspect``.
        let kind: RequestKind

        init?(_ path: String) {
            let parts = path.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 5, parts[0].isEmpty, parts[2] == "oauth2", parts[3] == "v2.0",
                let tenant = Tenant(parts[1]), let kind = RequestKind(nativeEndpoint: parts[4])
            else { return nil }
            self.tenant = tenant
            self.kind = kind
        }
    }

    func respond(to request: Request, at address: Address) -> Response {
        guard request.method == .post else {
            var response = Response.text(.methodNotAllowed, "This address has other methods.")
            response.add("Allow", "POST")
            return response
        }
        do throws(TokenError) {
            let parameters = try TokenRequest.parameters(of: request)
            guard let clientID = parameters["client_id"] else { throw .noClient }
            guard address.tenant.isOrganization else { throw .noNativeSignIns }
            return .json(.ok, .object(try answer(address.kind, parameters, clientID)))
        } catch {
            return error.response
        }
    }

    /// The answer that every step may give: the app must use a browser.
    static let redirect: JSONObject = ["challenge_type": "redirect"]

    private func answer(
        _ kind: RequestKind, _ parameters: RequestParameters, _ clientID: String
    ) throws(TokenError) -> JSONObject {
        if kind == .initiate { return try initiate(parameters, clientID) }
        guard let token = parameters["continuation_token"] else { throw .missing("continuation_token") }
        let outcome: NativeSessions.Outcome?
        if kind == .challenge {
            let types = try ChallengeTypes(parameters)
            let id = parameters["id"]
            outcome = sessions.advance(token, of: clientID) { Self.challenge($0, types, id) }
        } else {
            outcome = sessions.advance(token, of: clientID, Self.introspect)
        }
        guard let outcome else { throw .invalidContinuationToken }
        var members: JSONObject
        switch outcome.move {
        case .proceed(let step):
            members =
                kind == .challenge ? Self.challenge(step, outcome.session.user) : Self.methods(outcome.session.user)
        case .redirect: return Self.redirect
        case .refuse(let error): throw error
        case .finish: throw .invalidContinuationToken
        }
        members["continuation_token"] = outcome.continuationToken.map { .string($0) }
        return members
    }

    private func initiate(_ parameters: RequestParameters, _ clientID: String) throws(TokenError) -> JSONObject {
        guard let username = parameters["username"] else { throw .missing("username") }
        let types = try ChallengeTypes(parameters)
        guard let user = NativeUser(username) else { throw .unknownUser }
        // An app that does not support this person's method is sent to a browser at once.
        if user.way != .redirect, !types.contains(user.way == .code ? .outOfBand : .password) { return Self.redirect }
        let capabilities = parameters["capabilities"]?.split(separator: " ") ?? []
        let session = NativeSession(
            clientID: clientID, user: user,
            handlesSecondFactor: capabilities.contains { $0 == Self.secondFactorCapability })
        return ["continuation_token": .string(sessions.begin(session))]
    }

    // MARK: - Steps

    private static func challenge(
        _ session: NativeSession, _ types: ChallengeTypes, _ id: String?
    ) -> NativeSession.Move {
        switch session.step {
        case .initiated, .password, .code:
            switch session.user.way {
            case .redirect: return .redirect
            case .code: return types.contains(.outOfBand) ? .proceed(.code(OneTimeCode.make())) : .redirect
            case .password, .mfa, .reset: return types.contains(.password) ? .proceed(.password) : .redirect
            }
        case .secondFactor, .secondCode:
            guard let id else { return .refuse(.missing("id")) }
            guard id == secondFactorID else { return .refuse(.unknownSecondFactor) }
            return types.contains(.outOfBand) ? .proceed(.secondCode(OneTimeCode.make())) : .redirect
        case .ready: return .refuse(.invalidContinuationToken)
        }
    }

    @Sendable private static func introspect(_ session: NativeSession) -> NativeSession.Move {
        switch session.step {
        case .secondFactor, .secondCode: .proceed(.secondFactor)
        case .initiated, .password, .code, .ready: .refuse(.invalidContinuationToken)
        }
    }

    // MARK: - Content

    private static func challenge(_ step: NativeSession.Step, _ user: NativeUser) -> JSONObject {
        guard step != .password else { return ["challenge_type": "password"] }
        return [
            "challenge_type": "oob", "binding_method": "prompt", "challenge_channel": "email",
            "challenge_target_label": .string(user.maskedAddress), "code_length": .integer(OneTimeCode.length),
            "interval": 300,
        ]
    }

    private static func methods(_ user: NativeUser) -> JSONObject {
        [
            "methods": [
                [
                    "id": .string(secondFactorID), "challenge_type": "oob", "challenge_channel": "email",
                    "login_hint": .string(user.maskedAddress),
                ]
            ]
        ]
    }
}

/// The parameter `challenge_type`: what an app can ask its user for by itself.
struct ChallengeTypes: Sendable {
    enum Name: String, Sendable {
        case password
        /// A code that comes another way.
        case outOfBand = "oob"
        /// Every app must be able to open a browser.
        case redirect
    }

    private let names: Set<Name>

    init(_ parameters: RequestParameters) throws(TokenError) {
        guard let text = parameters["challenge_type"] else { throw .missing("challenge_type") }
        let words = text.split(separator: " ")
        let names = words.compactMap { Name(rawValue: String($0)) }
        guard names.count == words.count, names.contains(.redirect) else { throw .unsupportedChallengeType }
        self.names = Set(names)
    }

    func contains(_ name: Name) -> Bool { names.contains(name) }
}
