extension AuthenticationError.Code {
    /// The code of `MSALErrorDomain`. MSAL delivers some errors as −50000 although they have codes of their own
    /// (−50006, −50007, −50008); here they have these codes. `access_denied` is not −50005.
    public var msalCode: Int {
        switch name {
        case .interactionRequired: -50002
        case .serverDeclinedScopes: -50003
        case .serverProtectionPoliciesRequired: -50004
        case .workplaceJoinRequired: -50001
        case .insufficientDeviceStrength: -50007
        case .mdmEnrollmentCompletedNeedsRetry: -50008
        case .passwordResetRequired: -50142
        case .userCanceled, .releaseFailed: -50005
        case .serverError, .temporarilyUnavailable: -50006
        default: -50000
        }
    }

    /// The code of `MSALInternalErrorCodeKey`, if one covers all failures with this code.
    var msalInternalCode: Int? {
        switch name {
        case .accessDenied, .authorizationFailed: -42104
        case .invalidRequest: -42002
        case .invalidClient: -42003
        case .invalidGrant, .invalidCredentials, .invalidCode, .userNotFound: -42004
        case .invalidScope: -42005
        case .unauthorizedClient: -42006
        case .throttled: -42007
        case .invalidResponse, .invalidIDToken: -42600
        case .timedOut: -42700
        case .browserNotOpened: -42403
        case .invalidConfiguration, .invalidParameter: -42000
        case .internal: -42008
        default: nil
        }
    }
}

extension AuthenticationError.InternalCode {
    /// The code of `MSALInternalErrorCodeKey`; nil if MSAL has no such code.
    public var msalInternalCode: Int? {
        switch name {
        case .invalidParameter: -42000
        case .redirectSchemeNotRegistered: -42001
        case .invalidRequest: -42002
        case .invalidClient: -42003
        case .invalidGrant: -42004
        case .invalidScope: -42005
        case .unauthorizedClient: -42006
        case .unhandledResponse: -42007
        case .unexpected: -42008
        case .failedAuthorityValidation: -42010
        case .invalidRedirectURI: -42011
        case .mismatchedUser: -42101
        case .ambiguousAccount: -42102
        case .authorizationFailed: -42104
        case .accountRequired: -42106
        case .sessionCanceled: -42401
        case .invalidState: -42501
        case .invalidResponse: -42600
        case .responseNotReceived: -42700
        default: nil
        }
    }
}
