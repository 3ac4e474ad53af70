extension AuthenticationError {
    /// What an app can react to. Names and raw values that the gateway has too are the same there.
    public enum Code: String, CaseIterable, Sendable {
        /// Only the person can go on: tokens are missing, expired or not enough.
        case interactionRequired = "interaction_required"
        /// The issuer granted fewer scopes than were asked for. The tokens are in ``AuthenticationError/result``.
        case serverDeclinedScopes = "server_declined_scopes"
        /// Intune app protection is asked for.
        case serverProtectionPoliciesRequired = "server_protection_policies_required"
        case workplaceJoinRequired = "workplace_join_required"
        case insufficientDeviceStrength = "insufficient_device_strength"
        case mdmEnrollmentCompletedNeedsRetry = "mdm_enrollment_completed_needs_retry"
        case passwordResetRequired = "password_reset_required"
        /// The person gave up, or the app canceled the request.
        /// Native sign-in: nobody has this user name.
        case userNotFound = "user_not_found"
        /// Native sign-in: the user name or the password is blank or wrong.
        case invalidCredentials = "invalid_credentials"
        /// Native sign-in: the code is wrong.
        case invalidCode = "invalid_code"
        case userCanceled = "user_canceled"
        /// The issuer says `access_denied`, and not because the person gave up.
        case accessDenied = "access_denied"
        case invalidRequest = "invalid_request"
        case invalidClient = "invalid_client"
        case invalidGrant = "invalid_grant"
        case invalidScope = "invalid_scope"
        case unauthorizedClient = "unauthorized_client"
        case serverError = "server_error"
        case temporarilyUnavailable = "temporarily_unavailable"
        case throttled
        /// No connection to the issuer or its answer was lost. Whether the person may sign in is not known.
        case network
        case invalidResponse = "invalid_response"
        case invalidIDToken = "invalid_id_token"
        /// No callback came within the request's time-out.
        case timedOut = "timed_out"
        /// The code of the release page was not given, was wrong three times, or the person said "it was not me".
        case releaseFailed = "release_failed"
        /// The gateway cannot be reached, or refused the request.
        case gatewayFailed = "gateway_failed"
        case browserNotOpened = "browser_not_opened"
        /// The token cache cannot be read or written.
        case cacheFailed = "cache_failed"
        case invalidConfiguration = "invalid_configuration"
        case invalidParameter = "invalid_parameter"
        case `internal`
    }
}
