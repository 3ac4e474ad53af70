internal import SwitchyardText

/// The errors of Azure AD B2C that operators meet, by number.
enum B2CError: Int, CaseIterable, Sendable {
    case redirectURIMismatch = 90006
    case noRedirectURI = 90007
    case unknownClient = 90018
    case wrongClientSecret = 90081
    case scopeNotSupported = 90117
    case clientSecretMissing = 90079
    case publicClientWithSecret = 90084
    case noSession = 90077
    case grantExpired = 90080
    case grantRevoked = 90129
    case canceled = 90091
    case wrongPassword = 90054
    case accountLocked = 90114
    case forgottenPassword = 90118
    case tooManyTries = 90157
    case otherProvider = 90273
    case userMissing = 99002

    var explanation: Explanation { Explanation(.entra, "AADB2C\(rawValue)", words) }

    private var words: Explanation.Words {
        switch self {
        case .redirectURIMismatch:
            (
                "the redirect URI of the request is not registered for the client",
                "Add the redirect URI that `switchyard check` prints to the registration under Authentication, byte for byte."
            )
        case .noRedirectURI:
            (
                "the client has no redirect URI at all",
                "Add those that `switchyard check` prints to its registration under Authentication."
            )
        case .unknownClient:
            (
                "the client ID is not registered in the tenant",
                "Compare client_id and the tenant in `issuer` with the registration."
            )
        case .wrongClientSecret:
            (
                "the client secret is wrong",
                "Put the secret's value, not its ID, into client_secret_file, and let `switchyard reload` take it."
            )
        case .scopeNotSupported:
            (
                "a scope is not known to the tenant, or not granted to the client",
                "Compare default_scope with the scopes under Expose an API, and grant them under API permissions."
            )
        case .clientSecretMissing:
            (
                "the client is a confidential one, and no secret was sent",
                "Give the app its client_secret_file, or register the redirect URI under Mobile and desktop."
            )
        case .publicClientWithSecret:
            (
                "the client is a public one, and a secret was sent",
                "Take client_secret_file out of the app, or register the redirect URI under Web."
            )
        case .noSession:
            ("the browser has no session, and the request has prompt=none", "Begin again without prompt=none.")
        case .grantExpired: ("the code, or the refresh token, has expired", "Begin again.")
        case .grantRevoked: ("the refresh token was revoked", "The person signs in again.")
        case .canceled: ("the person gave up", "Begin again. Nothing is wrong with the configuration.")
        case .wrongPassword: ("user name or password is wrong", "The person tries again.")
        case .accountLocked:
            ("the account is locked for a while after too many wrong passwords", "Wait, or reset the password.")
        case .forgottenPassword:
            (
                "the person asked to reset the password, and the user flow leaves that to the app",
                "Switch Self-service password reset on in the user flow; or begin again with the password reset flow as issuer."
            )
        case .tooManyTries: ("the person tried a step too often", "Begin again.")
        case .otherProvider:
            (
                "the identity provider behind the tenant said no, or its answer was wrong",
                "If the person did not say no, compare the provider's registration under Identity providers."
            )
        case .userMissing: ("there is no such account yet", "The person signs up first.")
        }
    }
}

/// A number with which a text of Microsoft's token service begins: `AADSTS50011`, `AADB2C90118`.
struct MicrosoftErrorNumber {
    private enum Service: String, CaseIterable {
        case entra = "AADSTS"
        case b2c = "AADB2C"
    }

    private let service: Service
    private let number: Int

    /// The number at the beginning of a text, in any case: `aadsts50011`, `AADSTS50011: The redirect URI …`.
    init?(_ text: String) {
        let folded = text.asciiLowercased
        guard let service = Service.allCases.first(where: { folded.hasPrefix($0.rawValue.asciiLowercased) }) else {
            return nil
        }
        self.init(service, folded.dropFirst(service.rawValue.count))
    }

    /// The bare digits of an error of Microsoft Entra ID.
    init?(digits text: String) { self.init(.entra, text[...]) }

    private init?(_ service: Service, _ rest: Substring) {
        let rest = rest.drop { $0 == "_" || $0 == ":" }
        let digits = rest.utf8.prefix(while: ASCII.isDigit).count
        // The longest that exist have nine digits.
        guard (4...10).contains(digits), digits == rest.utf8.count || rest.dropFirst(digits).hasPrefix(":"),
            let number = Int(rest.prefix(digits))
        else { return nil }
        (self.service, self.number) = (service, number)
    }

    /// The exact words where they are known, else where to find them.
    var explanation: Explanation {
        if let knownExplanation { return knownExplanation }
        return switch service {
        case .entra: other("Microsoft Entra ID", "https://login.microsoftonline.com/error?code=\(number)")
        case .b2c: other("Azure AD B2C", "https://learn.microsoft.com/azure/active-directory-b2c/error-codes")
        }
    }

    /// nil for a number that no table has.
    var knownExplanation: Explanation? {
        switch service {
        case .entra: EntraError(rawValue: number)?.explanation
        case .b2c: B2CError(rawValue: number)?.explanation
        }
    }

    private func other(_ product: String, _ page: String) -> Explanation {
        Explanation(
            .entra, "\(service.rawValue)\(number)",
            (
                "an error of \(product) that this table does not have",
                "Look the number up at \(page), and the sign-in in the directory's sign-in log."
            ))
    }
}
