/// The pages that `switchyard ssh` shows about sign-ins of a far machine.
package struct FarMachinePhrases: Sendable {
    package let consent: ConsentPhrases
    package let refused: Message
    /// It took too long, or has ended otherwise.
    package let ended: Message
    package let alreadyDelivered: Message
    package let notStarted: Message
    package let notHere: Message
    package let notANavigation: Message
    /// The tool does not listen any more.
    package let toolGone: Message
    /// The tool's answer cannot be shown.
    package let toolResponseUnusable: Message
}

/// The page that asks; its choices are those of `QuestionPhrases`.
package struct ConsentPhrases: Sendable {
    /// The only heading of the page, and its title.
    package let heading: String
    package let explanation: FarMachinePhrase
    package let warning: FarMachinePhrase
    package let host: String
    package let issuer: String
    package let path: String
    package let client: String
    package let scope: String
    /// The value of `scope` when the address names none.
    package let noScope: String
    package let resource: String
    package let details: String
    package let prompt: String
}

/// The page at a loopback redirect URI of the client library.
package struct LoopbackPhrases: Sendable {
    package let signedIn: Message
    package let failed: Message
    /// The sign-in has ended before.
    package let taken: Message
    /// The app no longer waits for the sign-in.
    package let tooLate: Message
    /// No app began the sign-in.
    package let notStarted: Message
    /// The address is no redirect URI of a sign-in that is under way.
    package let notHere: Message
    /// The browser belongs to another user, or the machine hides its user.
    package let notOwnUser: Message
}
