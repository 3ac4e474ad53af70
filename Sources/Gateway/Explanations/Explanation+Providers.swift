internal import SwitchyardOAuth
internal import SwitchyardText

/// An issuer's error that is explained, so histories keep its name. Any other name is an issuer's text.
enum KnownIssuerError: Sendable {
    case standard(OAuthErrorName)
    case provider(ProviderErrorName)

    init?(_ name: String) {
        let name = name.asciiLowercased
        if let standard = OAuthErrorName(rawValue: name) {
            self = .standard(standard)
        } else if let provider = ProviderErrorName(rawValue: name) {
            self = .provider(provider)
        } else {
            return nil
        }
    }

    var rawValue: String {
        switch self {
        case .standard(let name): name.rawValue
        case .provider(let name): name.rawValue
        }
    }

    var explanation: Explanation {
        switch self {
        case .standard(let name): name.explanation
        case .provider(let name): name.explanation
        }
    }
}

extension ProviderErrorName {
    var explanation: Explanation { Explanation(.oauth, rawValue, words) }

    private var words: Explanation.Words {
        switch self {
        case .badVerificationCode:
            (
                "GitHub does not take the code, or the refresh token: it was used, is too old, or is another app's",
                "Begin again. If it comes back, compare client_id with the app at GitHub; does somebody else redeem the same callbacks?"
            )
        case .incorrectClientCredentials:
            (
                "GitHub does not take the client ID with this secret",
                "Compare client_id and client_secret with the app at GitHub; make a new client secret there if the old one is gone."
            )
        case .redirectURIMismatch:
            (
                "GitHub has another callback URL for the app",
                "Register the redirect URI that `switchyard check` prints as the app's authorization callback URL."
            )
        case .unverifiedUserEmail:
            (
                "the person has not confirmed an e-mail address at GitHub",
                "The person confirms the primary address in the e-mail settings at GitHub, and begins again."
            )
        case .badClientSecret, .invalidClientID:
            (
                "the provider does not know the client, or not by this secret",
                "Compare client_id and client_secret with the app's settings at the provider."
            )
        case .badRedirectURI:
            (
                "the redirect URI is not the one of the authorization request, or is not registered",
                "Register the redirect URI that `switchyard check` prints at the provider, byte for byte."
            )
        case .codeAlreadyUsed, .invalidCode:
            (
                "the provider does not take the code: it was used, is too old, or is another app's",
                "Begin again. If it comes back, does somebody else redeem the same callbacks?"
            )
        case .invalidRefreshToken:
            ("the provider does not take the refresh token: it was used, taken back, or is too old", "Sign in again.")
        case .oauthException:
            (
                "Facebook refuses the request; the error's number says why (100: a parameter, such as the code; 190: the token; 1, 101: the app)",
                "Begin again. If it comes back, compare client_id, client_secret and redirect URI with the app at Facebook."
            )
        }
    }
}
