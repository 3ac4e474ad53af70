/// The pages of a sign-in that goes on, or went well.
package struct SignInPhrases: Sendable {
    package let collected: Notice<AppPhrase>
    package let waitingForApp: Notice<AppPhrase>
    package let redeeming: Notice<AppPhrase>
    /// `next` says where the person types the code, and that no other person will ask for it.
    package let releaseCode: Notice<AppPhrase>
    package let returning: Notice<AppPhrase>
    /// The link to the app on the page `returning`.
    package let openApp: AppPhrase
    /// An app that keeps its own state has the answer of the sign-in service, which may be a refusal.
    package let delivered: Notice<AppPhrase>
    package let delivering: Notice<AppPhrase>
    /// `next` says how to get there anyway.
    package let undelivered: Notice<AppPhrase>
    /// The browser was sent on to the app on the person's own machine; the gateway does not know whether an app listens
    /// there.
    package let passedOn: Notice<AppPhrase>
}

/// The pages of a sign-in that ended without a result. All have one heading.
package struct EndingPhrases: Sendable {
    /// The only heading of the page, and its title.
    package let heading: String
    package let accessDenied: Ending
    package let canceled: Ending
    package let notMe: Ending
    package let wrongCode: Ending
    package let releaseExpired: Ending
    package let codeNotTaken: Ending
    package let declinedScopes: Ending
    package let expired: Ending
    package let interactionRequired: Ending
    package let protectionPolicyRequired: Ending
    package let issuerUnavailable: Ending
    package let issuerRefused: Ending
    package let answerNotTrusted: Ending
    package let internalError: Ending
}

/// The reason why a sign-in ended, and the person's next step.
package struct Ending: Sendable {
    package let explanation: AppPhrase
    package let next: AppPhrase

    package init(_ explanation: AppPhrase, _ next: AppPhrase) {
        (self.explanation, self.next) = (explanation, next)
    }
}
