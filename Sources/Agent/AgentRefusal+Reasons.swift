internal import SwitchyardClient
internal import SwitchyardGateway
internal import SwitchyardHTTP
internal import SwitchyardOAuth
internal import SwitchyardRouting

extension AgentRefusal {
    static let unreadableClaims = AgentRefusal(
        .badRequest, "invalid_request", "\"claims\" is no claims request", failure: .invalidRequest)

    static let noIDTokens = AgentRefusal(
        .badRequest, "invalid_request", "\"id_token\": the app's issuer makes no ID tokens",
        failure: .invalidRequest)

    /// The reason why there is no token.
    init(_ error: AuthenticationError) {
        let code: String
        let failure: SignInFailure.Code
        switch error.code {
        case _ where error.internalCode == .ambiguousAccount:
            (code, failure) = ("account_required", .interactionRequired)
        case .invalidParameter: (code, failure) = ("invalid_request", .invalidRequest)
        default: (code, failure) = (error.code.rawValue, SignInFailure.Code(rawValue: error.code.rawValue) ?? .internal)
        }
        self.init(
            Self.status(of: error), code, "\(IssuerText(error.message))",
            error.code == .serverDeclinedScopes
                ? .scopes(granted: error.grantedScopes, declined: error.declinedScopes) : .none,
            retryAfter: error.retryAfter, failure: failure)
    }

    private static func status(of error: AuthenticationError) -> Status {
        switch error.code {
        case .invalidParameter, .serverDeclinedScopes, .invalidScope, .invalidGrant, .invalidRequest,
            .unauthorizedClient, .accessDenied, .authorizationFailed, .serverProtectionPoliciesRequired,
            .insufficientDeviceStrength, .workplaceJoinRequired, .passwordResetRequired:
            .badRequest
        case .throttled: .tooManyRequests
        case .temporarilyUnavailable, .cacheFailed: .serviceUnavailable
        case .invalidConfiguration, .internal: .internalServerError
        default: error.isFromThrottling ? .tooManyRequests : .badGateway
        }
    }
}

extension AgentAccount {
    init(_ account: Account) {
        self.init(
            id: account.identifier, username: account.username, name: account.name,
            environment: account.environment, tenantID: account.tenantID)
    }
}

extension TokenQuery {
    /// - Parameters:
    ///   - more: scopes that are asked for in every sign-in.
    ///   - loginHint: the account for the issuer's page.
    func proposal(
        for app: AppRegistration, asking more: Scopes, loginHint: String?, claims: String? = nil
    ) -> SignInProposal {
        SignInProposal(
            app: app.id, scope: Scopes(parsing: "\(scope.text) \(more.text)"), loginHint: loginHint,
            claims: claims ?? self.claims, stepUp: stepUp)
    }
}
