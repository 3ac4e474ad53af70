extension AuthenticationError {
    /// The kind of error that an app can react to. Codes that the gateway has too have the same name there.
    ///
    /// Later versions may add codes: an app that switches over it needs a `default`.
    public struct Code: RawRepresentable, Hashable, Sendable, CaseIterable, CustomStringConvertible {
        /// The person must sign in: tokens are missing, expired or insufficient.
        public static var interactionRequired: Self { Self(.interactionRequired) }
        /// The issuer granted fewer scopes than were asked for. The tokens are in ``AuthenticationError/result``.
        public static var serverDeclinedScopes: Self { Self(.serverDeclinedScopes) }
        /// Intune app protection is asked for.
        public static var serverProtectionPoliciesRequired: Self { Self(.serverProtectionPoliciesRequired) }
        /// The resource takes only registered devices.
        public static var workplaceJoinRequired: Self { Self(.workplaceJoinRequired) }
        /// The device does not meet a policy.
        public static var insufficientDeviceStrength: Self { Self(.insufficientDeviceStrength) }
        /// The device has been enrolled; the same request works now.
        public static var mdmEnrollmentCompletedNeedsRetry: Self { Self(.mdmEnrollmentCompletedNeedsRetry) }
        /// The person must change the password first.
        public static var passwordResetRequired: Self { Self(.passwordResetRequired) }
        /// Native sign-in: there is no such user name.
        public static var userNotFound: Self { Self(.userNotFound) }
        /// Native sign-in: the user name or the password is blank or wrong.
        public static var invalidCredentials: Self { Self(.invalidCredentials) }
        /// Native sign-in: the code is wrong.
        public static var invalidCode: Self { Self(.invalidCode) }
        /// The person gave up, or the app canceled the request (`sessionCanceled`).
        public static var userCanceled: Self { Self(.userCanceled) }
        /// The issuer says `access_denied`, and not because the person gave up.
        public static var accessDenied: Self { Self(.accessDenied) }
        /// The issuer finds the request wrong (RFC 6749 sections 4.1.2.1 and 5.2, as the four below).
        public static var invalidRequest: Self { Self(.invalidRequest) }
        /// The issuer does not know the client.
        public static var invalidClient: Self { Self(.invalidClient) }
        /// The code or token is used, expired or revoked, or not this client's.
        public static var invalidGrant: Self { Self(.invalidGrant) }
        /// A scope does not exist, or does not go with the others.
        public static var invalidScope: Self { Self(.invalidScope) }
        /// The client may not ask in this way.
        public static var unauthorizedClient: Self { Self(.unauthorizedClient) }
        /// The issuer refused, with an error of its own: ``AuthenticationError/oauthError``.
        public static var authorizationFailed: Self { Self(.authorizationFailed) }
        /// The issuer failed.
        public static var serverError: Self { Self(.serverError) }
        /// The issuer cannot answer now, or another process has been refreshing the same tokens for too long;
        /// ``AuthenticationError/retryAfter`` may say when to try again.
        public static var temporarilyUnavailable: Self { Self(.temporarilyUnavailable) }
        /// Too many requests; ``AuthenticationError/retryAfter`` may say how long to wait.
        public static var throttled: Self { Self(.throttled) }
        /// No connection to the issuer or its answer was lost. Whether the person may sign in is not known.
        public static var network: Self { Self(.network) }
        /// The answer of the issuer breaks the protocol.
        public static var invalidResponse: Self { Self(.invalidResponse) }
        /// The ID token does not verify, or is not for this request.
        public static var invalidIDToken: Self { Self(.invalidIDToken) }
        /// No callback came within the request's time-out.
        public static var timedOut: Self { Self(.timedOut) }
        /// The code of the release page was not given, was wrong three times, or the person said "it was not me".
        public static var releaseFailed: Self { Self(.releaseFailed) }
        /// The gateway cannot be reached, or refused the request.
        public static var gatewayFailed: Self { Self(.gatewayFailed) }
        /// The person could not be brought to the address: no desktop, or ``Presentation/custom(_:)`` returned false.
        public static var browserNotOpened: Self { Self(.browserNotOpened) }
        /// The token cache cannot be read or written.
        public static var cacheFailed: Self { Self(.cacheFailed) }
        /// No application can be made of the configuration, or the gateway refuses it.
        public static var invalidConfiguration: Self { Self(.invalidConfiguration) }
        /// The app gave a wrong argument; no request was sent.
        public static var invalidParameter: Self { Self(.invalidParameter) }
        /// A fault of this library.
        public static var `internal`: Self { Self(.internal) }

        enum Name: String, CaseIterable {
            case interactionRequired = "interaction_required"
            case serverDeclinedScopes = "server_declined_scopes"
            case serverProtectionPoliciesRequired = "server_protection_policies_required"
            case workplaceJoinRequired = "workplace_join_required"
            case insufficientDeviceStrength = "insufficient_device_strength"
            case mdmEnrollmentCompletedNeedsRetry = "mdm_enrollment_completed_needs_retry"
            case passwordResetRequired = "password_reset_required"
            case userNotFound = "user_not_found"
            case invalidCredentials = "invalid_credentials"
            case invalidCode = "invalid_code"
            case userCanceled = "user_canceled"
            case accessDenied = "access_denied"
            case invalidRequest = "invalid_request"
            case invalidClient = "invalid_client"
            case invalidGrant = "invalid_grant"
            case invalidScope = "invalid_scope"
            case unauthorizedClient = "unauthorized_client"
            case authorizationFailed = "authorization_failed"
            case serverError = "server_error"
            case temporarilyUnavailable = "temporarily_unavailable"
            case throttled
            case network
            case invalidResponse = "invalid_response"
            case invalidIDToken = "invalid_id_token"
            case timedOut = "timed_out"
            case releaseFailed = "release_failed"
            case gatewayFailed = "gateway_failed"
            case browserNotOpened = "browser_not_opened"
            case cacheFailed = "cache_failed"
            case invalidConfiguration = "invalid_configuration"
            case invalidParameter = "invalid_parameter"
            case `internal`
        }

        let name: Name

        init(_ name: Name) {
            self.name = name
        }

        /// nil for a name that this version does not know.
        public init?(rawValue: String) {
            guard let name = Name(rawValue: rawValue) else { return nil }
            self.init(name)
        }

        /// The name for logs and storage; it never changes.
        public var rawValue: String { name.rawValue }

        /// The codes that this version knows.
        public static var allCases: [Self] { Name.allCases.map { Self($0) } }

        public var description: String { rawValue }
    }
}
