internal import SwitchyardOAuth
internal import SwitchyardRedemption
internal import SwitchyardText

extension AuthenticationError {
    /// Translates a failed exchange with an issuer, or a gateway's failure, for the app.
    init(_ failure: SignInFailure) {
        self.init(
            Self.code(of: failure), Self.internalCode(of: failure), failure.description?.text ?? "no further words")
        oauthError = failure.oauthError?.text
        oauthSuberror = failure.oauthSuberror?.text
        stsErrorCodes = failure.errorCodes
        httpStatus = failure.httpStatus
        httpHeaders = failure.httpHeaders
        correlationID = failure.correlationID?.text
        username = failure.username?.text
        retryAfter = failure.retryAfter
        if code == .invalidResponse, internalCode == nil, let status = httpStatus, status >= 400 {
            internalCode = .unhandledResponse
        }
        if code == .network { internalCode = Self.internalCode(isOffline: failure.isOffline) }
        claims = failure.claims.flatMap { try? ClaimsRequest(json: $0.text) }
    }

    /// A failure of a native sign-in: the numbers and suberrors say more than `invalid_grant`.
    init(native failure: SignInFailure) {
        self.init(failure)
        if failure.oauthError?.text.asciiLowercased == "invalid_request", failure.errorCodes.contains(50142) {
            code = .passwordResetRequired
        }
        // The first number is the error; the others are its causes.
        let reason = failure.errorCodes.first
        guard ["invalid_grant", "user_not_found"].contains(failure.oauthError?.text.asciiLowercased) else { return }
        if failure.oauthSuberror?.text.asciiLowercased == "invalid_oob_value" {
            code = .invalidCode
        } else if reason == 50034 || failure.oauthError?.text.asciiLowercased == "user_not_found" {
            code = .userNotFound
        } else if reason == 50126 {
            code = .invalidCredentials
        } else if reason == 50142 {
            code = .passwordResetRequired
        }
    }

    init(_ error: IssuerUnavailableError) {
        switch error.cause {
        case .unreachable:
            self.init(.network, Self.internalCode(isOffline: error.isOffline), error.description)
            retryAfter = error.retryAfter
        case .status(let status) where status == 429 || status >= 500:
            self.init(status == 429 ? .throttled : .serverError, nil, error.description)
            httpStatus = status
            retryAfter = error.retryAfter
        case .status(let status):
            self.init(.invalidConfiguration, .failedAuthorityValidation, error.description)
            httpStatus = status
        case .wrong: self.init(.invalidConfiguration, .failedAuthorityValidation, error.description)
        }
    }

    private static func internalCode(isOffline: Bool?) -> InternalCode? {
        isOffline.map { $0 ? .offline : .connectionRefused }
    }

    private static func code(of failure: SignInFailure) -> Code {
        switch failure.internalCode {
        case .insufficientDeviceStrength: .insufficientDeviceStrength
        case .passwordResetRequired: .passwordResetRequired
        // An error of the issuer's own: it is not known to be passing.
        case .authorizationFailed where failure.code == .serverError: .authorizationFailed
        case _ where failure.code == .expired: .timedOut
        default: Code(rawValue: failure.code.rawValue) ?? .internal
        }
    }

    private static func internalCode(of failure: SignInFailure) -> InternalCode? {
        switch failure.internalCode {
        case .invalidRequest: .invalidRequest
        case .invalidClient: .invalidClient
        case .invalidGrant: .invalidGrant
        case .invalidScope: .invalidScope
        case .unauthorizedClient: .unauthorizedClient
        case .authorizationFailed: .authorizationFailed
        case .stepUpNotMet: .stepUpNotMet
        case .userInfo: .userInfo
        // The code says it all.
        case .interactionRequired, .protectionPoliciesRequired, .userCanceled, .serverError,
            .insufficientDeviceStrength, .passwordResetRequired, nil:
            nil
        }
    }
}
