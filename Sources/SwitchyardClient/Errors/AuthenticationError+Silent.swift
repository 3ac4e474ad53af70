extension AuthenticationError {
    /// Whether the failure is temporary and leaves the account's state open.
    var isPassing: Bool {
        switch code {
        case .network, .serverError, .temporarilyUnavailable, .throttled: true
        default: false
        }
    }

    /// Whether the issuer answered, and only that it cannot.
    var isServerDown: Bool { (httpStatus ?? 0) >= 500 || code == .temporarilyUnavailable }

    /// The same failure for a silent request: most refusals of an issuer mean that the person must be asked.
    var forSilentRequest: AuthenticationError {
        guard oauthError != nil, !isPassing else { return self }
        switch code {
        case .invalidScope, .invalidClient, .serverProtectionPoliciesRequired, .insufficientDeviceStrength,
            .passwordResetRequired, .interactionRequired, .serverDeclinedScopes:
            return self
        default:
            var error = self
            error.code = .interactionRequired
            error.underlyingError = self
            return error
        }
    }
}
