internal import SwitchyardText

extension SignInFailure {
    /// The failure that an error in an authorization response means.
    public init(_ error: AuthorizationError) {
        let meaning =
            Self.isCancel(error)
            ? (.userCanceled, .userCanceled)
            : Self.knownMeaning(of: error.error, suberror: error.suberror, errorCodes: [])
                ?? Self.meaning(ofUnknown: error.error)
        self.init(
            meaning.code, internalCode: meaning.internalCode, oauthError: error.error, oauthSuberror: error.suberror,
            description: error.errorDescription, correlationID: error.correlationID, claims: error.claims)
    }

    /// The failure that an error of the token endpoint means.
    ///
    /// The status decides where it is more exact than the content: 429 is ``Code/throttled``, and a 5xx is the server's
    /// fault with any error name.
    public init(_ error: TokenErrorResponse, httpStatus: Int, retryAfter: Int? = nil) {
        let known = Self.knownMeaning(of: error.error, suberror: error.suberror, errorCodes: error.errorCodes)
        var meaning = known ?? Self.meaning(ofUnknown: error.error)
        if httpStatus == 429 { meaning = (.throttled, nil) }
        if httpStatus >= 500, meaning.code != .temporarilyUnavailable { meaning = (.serverError, .serverError) }
        self.init(
            meaning.code, internalCode: meaning.internalCode, oauthError: error.error, oauthSuberror: error.suberror,
            description: error.errorDescription, correlationID: error.correlationID, httpStatus: httpStatus,
            retryAfter: retryAfter, claims: error.claims)
        errorCodes = error.errorCodes
        continuationToken = error.continuationToken
        username = error.username
    }

    /// Whether the person gave up, rather than refused or was refused. OAuth has `access_denied` for both, and each
    /// issuer has its own way to tell them apart: Microsoft's personal accounts (`error_subcode`), Azure AD B2C (a
    /// number in the text), and issuers with an error of their own.
    private static func isCancel(_ error: AuthorizationError) -> Bool {
        let name = error.error.text.asciiLowercased
        if cancels.contains(name) { return true }
        guard name == "access_denied" else { return false }
        return error.suberror?.text.asciiLowercased == "cancel"
            || error.errorDescription?.text.hasPrefix("AADB2C90091") ?? false
    }

    private static let cancels: Set<String> = [
        "user_canceled", "user_cancelled", "user_cancelled_authorize", "user_cancelled_login",
    ]

    private typealias Meaning = (code: Code, internalCode: InternalCode?)

    /// The meaning of an error that no standard names. It is the issuer's own, and no failure of its server.
    private static func meaning(ofUnknown error: IssuerText) -> Meaning {
        let name = ProviderErrorName(rawValue: error.text.asciiLowercased)
        return (name?.code ?? .authorizationFailed, .authorizationFailed)
    }

    /// MSAL's table with its weak spots mended: a refusal (`access_denied`) is no cancel, and what MSAL hides in a
    /// general internal error (−50006, −50007, −50142) is delivered. Names are compared without case, as MSAL does. nil
    /// for an unknown name.
    private static func knownMeaning(
        of error: IssuerText, suberror: IssuerText?, errorCodes: [Int64]
    ) -> Meaning? {
        switch (error.text.asciiLowercased, suberror?.text.asciiLowercased) {
        case ("unauthorized_client", "protection_policy_required"):
            (.serverProtectionPoliciesRequired, .protectionPoliciesRequired)
        case ("invalid_grant", "insufficient_device_strength"): (.invalidGrant, .insufficientDeviceStrength)
        case ("invalid_grant", "transfer_token_expired"): (.userCanceled, .userCanceled)
        case ("invalid_request", _) where errorCodes.contains(50142): (.invalidRequest, .passwordResetRequired)
        case (let error, _): meanings[error]
        }
    }

    private static let meanings: [String: Meaning] = [
        "access_denied": (.accessDenied, nil),
        // Facebook's `error_reason`, where it comes without `error`.
        "user_denied": (.accessDenied, nil),
        "tokentransferfailedotc": (.userCanceled, .userCanceled),
        "invalid_request": (.invalidRequest, .invalidRequest),
        "invalid_client": (.invalidClient, .invalidClient),
        "invalid_grant": (.invalidGrant, .invalidGrant),
        "invalid_scope": (.invalidScope, .invalidScope),
        "unauthorized_client": (.unauthorizedClient, .unauthorizedClient),
        "server_error": (.serverError, .serverError),
        "temporarily_unavailable": (.temporarilyUnavailable, nil),
        // OpenID Connect Core section 3.1.2.6: all of these want the user.
        "interaction_required": (.interactionRequired, .interactionRequired),
        "login_required": (.interactionRequired, .interactionRequired),
        "consent_required": (.interactionRequired, .interactionRequired),
        "account_selection_required": (.interactionRequired, .interactionRequired),
        // OpenID Connect Core Unmet Authentication Requirements 1.0.
        "unmet_authentication_requirements": (.interactionRequired, .interactionRequired),
        // Mistakes in the request that have a name of their own.
        "unsupported_response_type": (.invalidRequest, .authorizationFailed),
        "unsupported_grant_type": (.invalidRequest, .authorizationFailed),
        "invalid_target": (.invalidRequest, .authorizationFailed),
        "invalid_request_uri": (.invalidRequest, .authorizationFailed),
        "invalid_request_object": (.invalidRequest, .authorizationFailed),
        "request_not_supported": (.invalidRequest, .authorizationFailed),
        "request_uri_not_supported": (.invalidRequest, .authorizationFailed),
        "registration_not_supported": (.invalidRequest, .authorizationFailed),
        // RFC 9449 sections 5 and 8.
        "invalid_dpop_proof": (.invalidRequest, .authorizationFailed),
        "use_dpop_nonce": (.invalidRequest, .authorizationFailed),
        // RFC 8628 section 3.5: too fast.
        "slow_down": (.throttled, .authorizationFailed),
    ]
}
