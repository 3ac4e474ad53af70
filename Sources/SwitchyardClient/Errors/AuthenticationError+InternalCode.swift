extension AuthenticationError {
    /// The exact cause of a failure, for diagnosis.
    ///
    /// Later versions may know more.
    public struct InternalCode: RawRepresentable, Hashable, Sendable, CaseIterable, CustomStringConvertible {
        /// An argument is missing or wrong.
        public static var invalidParameter: Self { Self(.invalidParameter) }
        /// This desktop has no program for the scheme of the redirect URI.
        public static var redirectSchemeNotRegistered: Self { Self(.redirectSchemeNotRegistered) }
        /// The OAuth error of this name, as those below.
        public static var invalidRequest: Self { Self(.invalidRequest) }
        /// `invalid_client`.
        public static var invalidClient: Self { Self(.invalidClient) }
        /// `invalid_grant`.
        public static var invalidGrant: Self { Self(.invalidGrant) }
        /// `invalid_scope`.
        public static var invalidScope: Self { Self(.invalidScope) }
        /// `unauthorized_client`.
        public static var unauthorizedClient: Self { Self(.unauthorizedClient) }
        /// An HTTP status that is neither tokens nor an OAuth error.
        public static var unhandledResponse: Self { Self(.unhandledResponse) }
        /// A fault of this library.
        public static var unexpected: Self { Self(.unexpected) }
        /// The authority is unknown, or names itself differently.
        public static var failedAuthorityValidation: Self { Self(.failedAuthorityValidation) }
        /// The redirect URI cannot be used.
        public static var invalidRedirectURI: Self { Self(.invalidRedirectURI) }
        /// Another account signed in than was asked for.
        public static var mismatchedUser: Self { Self(.mismatchedUser) }
        /// Several accounts match.
        public static var ambiguousAccount: Self { Self(.ambiguousAccount) }
        /// An OAuth error that has no code of its own.
        public static var authorizationFailed: Self { Self(.authorizationFailed) }
        /// No account was given.
        public static var accountRequired: Self { Self(.accountRequired) }
        /// The app canceled the request, not the person.
        public static var sessionCanceled: Self { Self(.sessionCanceled) }
        /// A callback had another state.
        public static var invalidState: Self { Self(.invalidState) }
        /// A response that breaks the protocol.
        public static var invalidResponse: Self { Self(.invalidResponse) }
        /// No response came.
        public static var responseNotReceived: Self { Self(.responseNotReceived) }
        /// This machine has no way to the network or its names.
        public static var offline: Self { Self(.offline) }
        /// The host is there and did not let us in.
        public static var connectionRefused: Self { Self(.connectionRefused) }
        /// The keyring is locked.
        public static var cacheLocked: Self { Self(.cacheLocked) }
        /// The cache cannot be read; it was set aside.
        public static var cacheCorrupt: Self { Self(.cacheCorrupt) }
        /// The store of the cache is not there.
        public static var cacheUnavailable: Self { Self(.cacheUnavailable) }
        /// The tokens belong to another cloud.
        public static var differentCloud: Self { Self(.differentCloud) }
        /// The account was signed out.
        public static var signedOut: Self { Self(.signedOut) }
        /// The cache has no token for the request.
        public static var noTokens: Self { Self(.noTokens) }
        /// The person signed in in another way, or longer ago, than was asked for.
        public static var stepUpNotMet: Self { Self(.stepUpNotMet) }
        /// An API wants a stronger or more recent sign-in (RFC 9470).
        public static var stepUpRequired: Self { Self(.stepUpRequired) }
        /// The userinfo endpoint failed, or told of another person.
        public static var userInfo: Self { Self(.userInfo) }

        enum Name: String, CaseIterable {
            case invalidParameter = "invalid_parameter"
            case redirectSchemeNotRegistered = "redirect_scheme_not_registered"
            case invalidRequest = "invalid_request"
            case invalidClient = "invalid_client"
            case invalidGrant = "invalid_grant"
            case invalidScope = "invalid_scope"
            case unauthorizedClient = "unauthorized_client"
            case unhandledResponse = "unhandled_response"
            case unexpected
            case failedAuthorityValidation = "failed_authority_validation"
            case invalidRedirectURI = "invalid_redirect_uri"
            case mismatchedUser = "mismatched_user"
            case ambiguousAccount = "ambiguous_account"
            case authorizationFailed = "authorization_failed"
            case accountRequired = "account_required"
            case sessionCanceled = "session_canceled"
            case invalidState = "invalid_state"
            case invalidResponse = "invalid_response"
            case responseNotReceived = "response_not_received"
            case offline
            case connectionRefused = "connection_refused"
            case cacheLocked = "cache_locked"
            case cacheCorrupt = "cache_corrupt"
            case cacheUnavailable = "cache_unavailable"
            case differentCloud = "different_cloud"
            case signedOut = "signed_out"
            case noTokens = "no_tokens"
            case stepUpNotMet = "step_up_not_met"
            case stepUpRequired = "step_up_required"
            case userInfo = "userinfo"
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
