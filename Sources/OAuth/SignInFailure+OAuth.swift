internal import SwitchyardText

extension SignInFailure {
    /// The failure that an error in an authorization response means.
    public init(_ error: AuthorizationError) {
        let meaning =
            Self.isCancel(error)
            ? (.userCanceled, -50005) : Self.meaning(of: error.error, suberror: error.suberror, errorCodes: [])
        self.init(
            meaning.code, internalCode: meaning.internalCode, oauthError: error.error, oauthSuberror: error.suberror,
            description: error.errorDescription, correlationID: error.correlationID, claims: error.claims)
    }

    /// The failure that an error of the token endpoint means.
    ///
    /// The status decides where it says more than the content: 429 is ``Code/throttled``, and a 5xx is the server's
    /// fault whatever error it names.
    public init(_ error: TokenErrorResponse, httpStatus: Int, retryAfter: Int? = nil) {
        var meaning = Self.meaning(of: error.error, suberror: error.suberror, errorCodes: error.errorCodes)
        if httpStatus == 429 { meaning = (.throttled, nil) }
        if httpStatus >= 500, meaning.code != .temporarilyUnavailable { meaning = (.serverError, -50006) }
        self.init(
            meaning.code, internalCode: meaning.internalCode, oauthError: error.error, oauthSuberror: error.suberror,
            description: error.errorDescription, correlationID: error.correlationID, httpStatus: httpStatus,
            retryAfter: retryAfter, claims: error.claims)
        errorCodes = error.errorCodes
        continuationToken = error.continuationToken
    }

    /// Whether the person gave up, rather than somebody said no. OAuth has `access_denied` for both; what tells them
    /// apart is each issuer's own: Microsoft's personal accounts (`error_subcode`), Azure AD B2C (a number in the text),
    /// and issuers with an error of their own.
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

    private typealias Meaning = (code: Code, internalCode: Int?)

    /// MSAL's table with its weak spots mended: a refusal (`access_denied`) is no cancel, and what MSAL hides in a
    /// general internal error (−50006, −50007, −50142) is delivered. Names are compared without case, as MSAL does.
    private static func meaning(of error: IssuerText, suberror: IssuerText?, errorCodes: [Int64]) -> Meaning {
        switch (error.text.asciiLowercased, suberror?.text.asciiLowercased) {
        case ("unauthorized_client", "protection_policy_required"): (.serverProtectionPoliciesRequired, -50004)
        case ("invalid_grant", "insufficient_device_strength"): (.invalidGrant, -50007)
        case ("invalid_grant", "transfer_token_expired"): (.userCanceled, -50005)
        case ("invalid_request", _) where errorCodes.contains(50142): (.invalidRequest, -50142)
        case (let error, _): meanings[error] ?? (.serverError, -42104)
        }
    }

    private static let meanings: [String: Meaning] = [
        "access_denied": (.accessDenied, nil),
        "tokentransferfailedotc": (.userCanceled, -50005),
        "invalid_request": (.invalidRequest, -42002),
        "invalid_client": (.invalidClient, -42003),
        "invalid_grant": (.invalidGrant, -42004),
        "invalid_scope": (.invalidScope, -42005),
        "unauthorized_client": (.unauthorizedClient, -42006),
        "server_error": (.serverError, -50006),
        "temporarily_unavailable": (.temporarilyUnavailable, nil),
        // OpenID Connect Core section 3.1.2.6: all of these want the user.
        "interaction_required": (.interactionRequired, -50002),
        "login_required": (.interactionRequired, -50002),
        "consent_required": (.interactionRequired, -50002),
        "account_selection_required": (.interactionRequired, -50002),
        // Mistakes in the request that have a name of their own.
        "unsupported_response_type": (.invalidRequest, -42104),
        "unsupported_grant_type": (.invalidRequest, -42104),
        "invalid_target": (.invalidRequest, -42104),
    ]
}
