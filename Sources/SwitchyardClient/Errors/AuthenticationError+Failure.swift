internal import SwitchyardOAuth
internal import SwitchyardRedemption

extension AuthenticationError {
    /// What a failed exchange with an issuer, or a gateway's failure, is for the app.
    init(_ failure: SignInFailure) {
        self.init(
            Self.code(of: failure), Self.internalCode(of: failure), failure.description?.text ?? "no further words")
        oauthError = failure.oauthError?.text
        oauthSuberror = failure.oauthSuberror?.text
        stsErrorCodes = failure.errorCodes
        httpStatus = failure.httpStatus
        httpHeaders = failure.httpHeaders
        correlationID = failure.correlationID?.text
        retryAfter = failure.retryAfter
        if code == .invalidResponse, let status = httpStatus, status >= 400 { internalCode = .unhandledResponse }
        if code == .network { internalCode = Self.internalCode(isOffline: failure.isOffline) }
        claims = failure.claims.flatMap { try? ClaimsRequest(json: $0.text) }
    }

    init(_ error: IssuerUnavailable) {
        switch error.cause {
        case .unreachable(let isOffline):
            self.init(.network, Self.internalCode(isOffline: isOffline), error.description)
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
        case -50007: .insufficientDeviceStrength
        case -50142: .passwordResetRequired
        // An error of the issuer's own: it is not known to be passing.
        case -42104 where failure.code == .serverError: .authorizationFailed
        case _ where failure.code == .expired: .timedOut
        default: Code(rawValue: failure.code.rawValue) ?? .internal
        }
    }

    private static func internalCode(of failure: SignInFailure) -> InternalCode? {
        guard let number = failure.internalCode else { return nil }
        return InternalCode.allCases.first { $0.msalInternalCode == number }
    }
}
