/// The page before the sign-in service, for a link that was opened at another address than the program's, and the
/// choices wherever a person is asked.
package struct QuestionPhrases: Sendable {
    /// The only heading of the page, and its title.
    package let heading: String
    /// The asker and its wish, when the program has a network address.
    package let atAddress: AskerPhrase
    /// The same when the program runs on the gateway's machine.
    package let onThisMachine: AppPhrase
    /// The same when the program's place is unknown.
    package let somewhere: AppPhrase
    /// The warning about a possible attack, with advice.
    package let warning: String
    /// Beside a sign-in to a resource: the party that gets access.
    package let resourceOperator: ResourcePhrase
    /// The button that ends a sign-in that another person began.
    package let notMe: String
    /// The link or button that leads to the sign-in service.
    package let proceed: String
}

/// The labels of the facts about a sign-in, and their values where they are words.
package struct FactPhrases: Sendable {
    /// Stands before the place of the program that asks.
    package let askedFrom: String
    /// The place of a program on the gateway's machine.
    package let thisMachine: String
    /// The place of a program that asked through a proxy that names no client.
    package let unknownPlace: String
    /// Stands in parentheses behind an address that is also the browser's; never sounds like a promise.
    package let sameAddress: String
    /// Stands before the time at which the program asked.
    package let askedAt: String
    /// Stands before the host label and marks it as a claim.
    package let hostClaim: String
    /// Stands before the host of a resource that the sign-in is for.
    package let resource: String
    /// Stands before the words of an issuer, or of a sender that poses as one, and marks them as unverified.
    package let answerSays: String
    /// Stands before the reference.
    package let reference: String
}
