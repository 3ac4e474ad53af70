/// Errors of token endpoints that no standard names, at providers with many apps. Their meaning is a standard one. The names
/// are in lower case.
public enum ProviderErrorName: String, CaseIterable, Sendable {
    // GitHub: "Troubleshooting OAuth app access token request errors".
    case badVerificationCode = "bad_verification_code"
    case incorrectClientCredentials = "incorrect_client_credentials"
    case redirectURIMismatch = "redirect_uri_mismatch"
    case unverifiedUserEmail = "unverified_user_email"
    // Slack: `oauth.v2.access`.
    case badClientSecret = "bad_client_secret"
    case badRedirectURI = "bad_redirect_uri"
    case codeAlreadyUsed = "code_already_used"
    case invalidClientID = "invalid_client_id"
    case invalidCode = "invalid_code"
    case invalidRefreshToken = "invalid_refresh_token"
    // Facebook: the `type` of its error object, `OAuthException`.
    case oauthException = "oauthexception"

    /// The code of the failure.
    var code: SignInFailure.Code {
        switch self {
        case .badVerificationCode, .codeAlreadyUsed, .invalidCode, .invalidRefreshToken: .invalidGrant
        case .incorrectClientCredentials, .badClientSecret, .invalidClientID: .invalidClient
        case .redirectURIMismatch, .badRedirectURI: .invalidRequest
        case .oauthException: .authorizationFailed
        case .unverifiedUserEmail: .accessDenied
        }
    }
}
