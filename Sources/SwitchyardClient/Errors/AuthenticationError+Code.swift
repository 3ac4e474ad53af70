extension AuthenticationError {
    /// What an app can react to. Names and raw values that the gateway has too are the same there.
    public enum Code: String, CaseIterable, Sendable {
        /// Only the person can go on: tokens are missing, expired or not enough.
        case interactionRequired = "interaction_required"
        /// The issuer granted fewer scopes than were asked for. The tokens are in ``AuthenticationError/result``.
        case serverDeclinedScopes = "server_declined_scopes"
        /// Intune app protection is asked for.
        case serverProtectionPoliciesRequired = "server_protection_policies_required"
        /// The resource takes only registered devices.
        case workplaceJoinRequired = "workplace_join_required"
        /// The device is not what a policy asks for.
        case insufficientDeviceStrength = "insufficient_device_strength"
        /// The device has been enrolled; the same request works now.
        case mdmEnrollmentCompletedNeedsRetry = "mdm_enrollment_completed_needs_retry"
        /// The password has to be changed first.
        case passwordResetRequired = "password_reset_required"
        /// Native sign-in: nobody has this user name.
        case userNotFound = "user_not_found"
        /// Native sign-in: the user name or the password is blank or wrong.
        case invalidCredentials = "invalid_credentials"
        /// Native sign-in: the code is wrong.
        case invalidCode = "invalid_code"
        /// The person gave up, or the app canceled the request (`sessionCanceled`).
        case userCanceled = "user_canceled"
        /// The issuer says `access_denied`, and not because the person gave up.
        case accessDenied = "access_denied"
        /// The issuer finds the request wrong (RFC 6749 sections 4.1.2.1 and 5.2, as the four below).
        case invalidRequest = "invalid_request"
        /// The issuer does not know the client.
        case invalidClient = "invalid_client"
        /// The code or token is used, expired or revoked, or not this client's.
        case invalidGrant = "invalid_grant"
        /// A scope does not exist, or does not go with the others.
        case invalidScope = "invalid_scope"
        /// The client may not ask in this way.
        case unauthorizedClient = "unauthorized_client"
        /// The issuer refused, with an error of its own: ``AuthenticationError/oauthError``.
        case authorizationFailed = "authorization_failed"
        /// The issuer failed.
        case serverError = "server_error"
        /// The issuer cannot answer now; ``AuthenticationError/retryAfter`` may say when.
        case temporarilyUnavailable = "temporarily_unavailable"
        /// Too many requests; ``AuthenticationError/retryAfter`` may say when to go on.
        case throttled
        /// No connection to the issuer or its answer was lost. Whether the person may sign in is not known.
        case network
        /// The answer of the issuer breaks the protocol.
        case invalidResponse = "invalid_response"
        /// The ID token does not verify, or is not for this request.
        case invalidIDToken = "invalid_id_token"
        /// No callback came within the request's time-out.
        case timedOut = "timed_out"
        /// The code of the release page was not given, was wrong three times, or the person said "it was not me".
        case releaseFailed = "release_failed"
        /// The gateway cannot be reached, or refused the request.
        case gatewayFailed = "gateway_failed"
        /// The person could not be brought to the address: no desktop, or ``Presentation/custom(_:)`` returned false.
        case browserNotOpened = "browser_not_opened"
        /// The token cache cannot be read or written.
        case cacheFailed = "cache_failed"
        /// No application can be made of the configuration, or the gateway refuses it.
        case invalidConfiguration = "invalid_configuration"
        /// The app gave a wrong argument; nothing was sent.
        case invalidParameter = "invalid_parameter"
        /// What should not happen.
        case `internal`
    }
}
