extension AuthenticationError {
    /// Whether it says nothing about the account: later it may work.
    var isPassing: Bool {
        switch code {
        case .network, .serverError, .temporarilyUnavailable, .throttled: true
        default: false
        }
    }

    /// Whether the issuer answered, and only that it cannot.
    var isServerDown: Bool { (httpStatus ?? 0) >= 500 || code == .temporarilyUnavailable }

    /// What a failure means where nobody is asked: most words of an issuer mean that somebody has to be.
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
