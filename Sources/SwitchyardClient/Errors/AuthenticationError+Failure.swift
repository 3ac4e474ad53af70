internal import OAuth
internal import Redemption

extension AuthenticationError {
    /// What a failed exchange with an issuer, or a gateway's failure, is for the app.
    init(_ failure: SignInFailure) {
        self.init(Self.code(of: failure), Self.internalCode(of: failure), failure.description ?? "no further words")
        oauthError = failure.oauthError
        oauthSuberror = failure.oauthSuberror
        stsErrorCodes = failure.errorCodes
        httpStatus = failure.httpStatus
        httpHeaders = failure.httpHeaders
        correlationID = failure.correlationID
        retryAfter = failure.retryAfter
        if code == .invalidResponse, let status = httpStatus, status >= 400 { internalCode = .unhandledResponse }
        if code == .network { internalCode = Self.internalCode(isOffline: failure.isOffline) }
        claims = failure.claims.flatMap { try? ClaimsRequest(json: $0) }
    }

    init(_ error: IssuerUnavailable) {
        self.init(.network, Self.internalCode(isOffline: error.isOffline), error.description)
        retryAfter = error.retryAfter
    }

    private static func internalCode(isOffline: Bool?) -> InternalCode? {
        isOffline.map { $0 ? .offline : .connectionRefused }
    }

    private static func code(of failure: SignInFailure) -> Code {
        switch failure.internalCode {
        case -50007: .insufficientDeviceStrength
        case -50142: .passwordResetRequired
        case _ where failure.code == .expired: .timedOut
        default: Code(rawValue: failure.code.rawValue) ?? .internal
        }
    }

    private static func internalCode(of failure: SignInFailure) -> InternalCode? {
        guard let number = failure.internalCode else { return nil }
        return InternalCode.allCases.first { $0.msalInternalCode == number }
    }
}
