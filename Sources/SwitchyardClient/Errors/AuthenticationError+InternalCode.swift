extension AuthenticationError {
    /// Why it failed, for diagnosis.
    public enum InternalCode: String, CaseIterable, Sendable {
        /// An argument is missing or wrong.
        case invalidParameter = "invalid_parameter"
        /// Nothing on this desktop opens the scheme of the redirect URI.
        case redirectSchemeNotRegistered = "redirect_scheme_not_registered"
        /// The OAuth error of this name, as those below.
        case invalidRequest = "invalid_request"
        /// `invalid_client`.
        case invalidClient = "invalid_client"
        /// `invalid_grant`.
        case invalidGrant = "invalid_grant"
        /// `invalid_scope`.
        case invalidScope = "invalid_scope"
        /// `unauthorized_client`.
        case unauthorizedClient = "unauthorized_client"
        /// An HTTP status that is neither tokens nor an OAuth error.
        case unhandledResponse = "unhandled_response"
        /// What should not happen.
        case unexpected
        /// The authority is not what it says it is, or is not known.
        case failedAuthorityValidation = "failed_authority_validation"
        /// The redirect URI cannot be used.
        case invalidRedirectURI = "invalid_redirect_uri"
        /// Another account signed in than was asked for.
        case mismatchedUser = "mismatched_user"
        /// Several accounts match.
        case ambiguousAccount = "ambiguous_account"
        /// An OAuth error that has no code of its own.
        case authorizationFailed = "authorization_failed"
        /// No account was given.
        case accountRequired = "account_required"
        /// The app canceled the request, not the person.
        case sessionCanceled = "session_canceled"
        /// A callback had another state.
        case invalidState = "invalid_state"
        /// A response that breaks the protocol.
        case invalidResponse = "invalid_response"
        /// Nothing came back.
        case responseNotReceived = "response_not_received"
        /// This machine has no way to the network or its names.
        case offline
        /// The host is there and did not let us in.
        case connectionRefused = "connection_refused"
        /// The keyring is locked.
        case cacheLocked = "cache_locked"
        /// The cache cannot be read; it was set aside.
        case cacheCorrupt = "cache_corrupt"
        /// The store of the cache is not there.
        case cacheUnavailable = "cache_unavailable"
        /// The tokens belong to another cloud.
        case differentCloud = "different_cloud"
        /// The account was signed out.
        case signedOut = "signed_out"
        /// Nothing in the cache fits the request.
        case noTokens = "no_tokens"
    }
}

extension AuthenticationError.InternalCode {
    /// The code of `MSALInternalErrorCodeKey`; nil where MSAL has none.
    public var msalInternalCode: Int? {
        switch self {
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

    /// What a developer can do, where it is more than the code's own remedy.
    var remedy: String? {
        switch self {
        case .redirectSchemeNotRegistered:
            "Register the scheme for this app on this desktop."
        case .unhandledResponse:
            "Look at httpStatus and httpHeaders; a proxy may have answered instead of the issuer."
        case .failedAuthorityValidation:
            "Check the authority's spelling; make the authority of a host of your own by its kind: oidc(issuer:), adfs(_:), b2c(…)."
        case .invalidRedirectURI:
            "Correct the redirect URI as message says, here and in the issuer's registration."
        case .mismatchedUser:
            "Ask the person to choose the account that the request named."
        case .ambiguousAccount:
            "Name the account by its identifier."
        case .accountRequired:
            "Give the account, or call acquireToken(with:)."
        case .offline:
            "Wait for a connection."
        case .connectionRefused:
            "Check host, port, firewall and certificate."
        case .cacheLocked:
            "Unlock the keyring and try again."
        case .cacheCorrupt:
            "The unreadable cache was set aside; signing in again makes a new one."
        case .differentCloud:
            "Ask for the scopes with the authority of the account's cloud."
        case .signedOut:
            "Call acquireToken(with:)."
        case .noTokens:
            "Call acquireToken(with:)."
        default: nil
        }
    }
}
