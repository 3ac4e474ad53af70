internal import SwitchyardClient
internal import SwitchyardGateway
internal import SwitchyardHTTP
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardRouting

extension Agent.Wish {
    /// The body for `POST /v1/requests` after which these tokens are there.
    /// - Parameter more: scopes that are asked for in every sign-in.
    func request(_ loginHint: String?, asking more: Scopes) -> JSONObject {
        let scope = Scopes(parsing: "\(scope.text) \(more.text)")
        var request: JSONObject = ["app": .string(app.id.text), "scope": .string(scope.text)]
        request["login_hint"] = loginHint.map { .string($0) }
        request["claims"] = claims.map { .string($0) }
        return request
    }
}

extension Account {
    var json: JSONObject {
        var object: JSONObject = ["id": .string(identifier)]
        object["username"] = username.map { .string($0) }
        object["name"] = name.map { .string($0) }
        object["environment"] = .string(environment)
        object["tenant_id"] = tenantID.map { .string($0) }
        return object
    }
}

extension AgentAnswer {
    static func error(_ status: Status, _ error: String, _ description: String) -> AgentAnswer {
        AgentAnswer(status, ["error": .string(error), "error_description": .string(description)])
    }

    static func interactionRequired(_ request: JSONObject, _ reason: String) -> AgentAnswer {
        AgentAnswer(
            .unauthorized,
            [
                "error": "interaction_required",
                "error_description": .string("\(reason): the person has to sign in, by POST /v1/requests"),
                "request": .object(request),
            ])
    }

    static func accountRequired(_ accounts: [Account]) -> AgentAnswer {
        AgentAnswer(
            .badRequest,
            [
                "error": "account_required",
                "error_description": "several people have signed in: name one of them as \"account\"",
                "accounts": .array(accounts.map { .object($0.json) }),
            ])
    }

    /// The reason why there is no token.
    init(_ failure: AuthenticationError) {
        var body: JSONObject = [
            "error": .string(failure.code.rawValue), "error_description": .string("\(IssuerText(failure.message))"),
        ]
        if failure.code == .serverDeclinedScopes {
            body["granted_scopes"] = .array(failure.grantedScopes.map { .string($0) })
            body["declined_scopes"] = .array(failure.declinedScopes.map { .string($0) })
        }
        if failure.internalCode == .ambiguousAccount { body["error"] = "account_required" }
        if failure.code == .invalidParameter, failure.internalCode != .ambiguousAccount {
            body["error"] = "invalid_request"
        }
        let status: Status =
            switch failure.code {
            case .invalidParameter, .serverDeclinedScopes, .invalidScope, .invalidGrant, .invalidRequest,
                .unauthorizedClient, .accessDenied, .authorizationFailed, .serverProtectionPoliciesRequired,
                .insufficientDeviceStrength, .workplaceJoinRequired, .passwordResetRequired:
                .badRequest
            case .throttled: .tooManyRequests
            case .temporarilyUnavailable, .cacheFailed: .serviceUnavailable
            case .invalidConfiguration, .internal: .internalServerError
            default: failure.isFromThrottling ? .tooManyRequests : .badGateway
            }
        self.init(status, body, retryAfter: failure.retryAfter)
    }
}
