internal import SwitchyardPhrases

/// The reason why a sign-in ended without a result, as far as it helps the person at the browser.
///
/// Coarser than the failure that the app gets: a page names the next step of a person, and leaves the operator's part
/// out.
enum FailureReason: Sendable, CaseIterable {
    /// The person, or a rule of the issuer, said no (`access_denied`).
    case accessDenied
    /// The app, or the person, gave up (`user_canceled`).
    case canceled
    /// The person said that another person began the sign-in.
    case notMe
    /// The release code was typed wrong as often as it may be.
    case wrongCode
    /// The release code was not typed in time.
    case releaseExpired
    /// The code was held until the issuer no longer took it.
    case codeNotTaken
    /// Less was granted than the app needs (`server_declined_scopes`).
    case declinedScopes
    /// It took longer than the request lives.
    case expired
    /// The issuer wants one more step of the person (`interaction_required`).
    case interactionRequired
    /// The issuer wants the device or the app to be managed (`server_protection_policies_required`).
    case protectionPolicyRequired
    /// The issuer could not be reached, was overloaded, or had an error of its own.
    case issuerUnavailable
    /// The issuer did not accept the app's request or its code: a matter of registration.
    case issuerRefused
    /// The issuer's answer, or its ID token, did not pass verification.
    case answerNotTrusted
    /// The gateway had an error of its own.
    case internalError
}

extension FailureReason {
    func notice(in phrases: EndingPhrases) -> Notice<AppPhrase> {
        let ending = ending(in: phrases)
        return Notice(heading: phrases.heading, explanation: ending.explanation, next: ending.next)
    }

    private func ending(in phrases: EndingPhrases) -> Ending {
        switch self {
        case .accessDenied: phrases.accessDenied
        case .canceled: phrases.canceled
        case .notMe: phrases.notMe
        case .wrongCode: phrases.wrongCode
        case .releaseExpired: phrases.releaseExpired
        case .codeNotTaken: phrases.codeNotTaken
        case .declinedScopes: phrases.declinedScopes
        case .expired: phrases.expired
        case .interactionRequired: phrases.interactionRequired
        case .protectionPolicyRequired: phrases.protectionPolicyRequired
        case .issuerUnavailable: phrases.issuerUnavailable
        case .issuerRefused: phrases.issuerRefused
        case .answerNotTrusted: phrases.answerNotTrusted
        case .internalError: phrases.internalError
        }
    }
}
