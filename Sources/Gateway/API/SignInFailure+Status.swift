internal import SwitchyardHTTP
internal import SwitchyardOAuth

extension SignInFailure {
    /// The status of a call of the API that failed at the issuer. If the issuer refuses the gateway's own authentication,
    /// the caller is not at fault.
    var status: Status {
        switch code {
        case .throttled: .tooManyRequests
        case .temporarilyUnavailable: .serviceUnavailable
        case .serverError where internalCode == .authorizationFailed: .badRequest
        case .network, .serverError, .invalidResponse, .invalidIDToken, .invalidClient: .badGateway
        case .internal: .internalServerError
        case .interactionRequired, .serverDeclinedScopes, .serverProtectionPoliciesRequired, .userCanceled,
            .accessDenied, .authorizationFailed, .invalidRequest, .invalidGrant, .invalidScope, .unauthorizedClient,
            .releaseFailed, .expired:
            .badRequest
        }
    }
}
