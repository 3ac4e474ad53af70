internal import SwitchyardPages

/// Every word of the pages in one language.
///
/// A language is one file, `Language+Name.swift`: the compiler refuses it while a field or a case is missing. Texts are
/// plain: markup in them is shown, not interpreted.
struct Strings: Sendable {
    let collected: Notice<AppPhrase>
    let waitingForApp: Notice<AppPhrase>
    let redeeming: Notice<AppPhrase>
    /// `next` says where the person types the code, and that no other person will ask for it.
    let releaseCode: Notice<AppPhrase>
    let returning: Notice<AppPhrase>
    /// The link to the app on the page `returning`.
    let openApp: AppPhrase
    let failed: @Sendable (FailureReason) -> Notice<AppPhrase>
    /// An app that keeps its own state has the answer of the sign-in service, which may be a refusal.
    let delivered: Notice<AppPhrase>
    let delivering: Notice<AppPhrase>
    /// `next` says how to get there anyway.
    let undelivered: Notice<AppPhrase>
    /// The browser was sent on to the app on the person's own machine; the gateway does not know whether an app listens
    /// there.
    let passedOn: Notice<AppPhrase>
    let confirmStart: StartConfirmation
    let neutral: Notice<String>
    /// For the browser that brought the callback of a sign-in which was started in another one.
    let startedElsewhere: Notice<String>
    let fragment: FragmentWords
    let refused: @Sendable (CallbackRefusal) -> Notice<String>
    /// The button that ends a sign-in that another person began.
    let notMe: String
    /// Stands before the place of the program that asks.
    let askedFrom: String
    /// The place of a program on the gateway's machine.
    let thisMachine: String
    /// The place of a program that asked through a proxy that names no client.
    let unknownPlace: String
    /// Stands beside an address that is also the browser's; never sounds like a promise.
    let sameAddress: String
    /// Stands before the time at which the program asked.
    let askedAt: String
    /// Stands before the host label and marks it as a claim.
    let hostClaim: String
    /// Stands before the words of an issuer, or of a sender that poses as one, and marks them as unverified.
    let answerSays: String
    /// Stands before the reference.
    let reference: String
    /// For a page that reloads itself.
    let updatesItself: String
    /// For a page that shows a moment and does not reload itself.
    let reloadToUpdate: String
}

/// The words of one page: its subject, the reason, and the person's next step.
///
/// `Text` is `String` on pages that know no app and `AppPhrase` on those that do, so that a translation cannot name an
/// app on a page without one.
struct Notice<Text: Sendable>: Sendable {
    /// The only heading of the page, and its title.
    let heading: String
    /// The event, in one or two sentences.
    let explanation: Text
    /// The next step, in one or two sentences.
    let next: Text
}

/// The words of the page that comes before the issuer when the link was opened at another address than the program's.
struct StartConfirmation: Sendable {
    /// The only heading of the page, and its title.
    let heading: String
    /// The asker and its wish, when the program has a network address.
    let atAddress: AskerPhrase
    /// The same when the program runs on the gateway's machine.
    let onThisMachine: AppPhrase
    /// The same when the program's place is unknown.
    let somewhere: AppPhrase
    /// The warning about a possible attack, with advice.
    let warning: String
    /// The link to the issuer.
    let proceed: String
}

/// The words of the page for `response_mode=fragment`; of its parts the person sees one.
///
/// The fourth text, for a browser that brings no fragment, is the one of `CallbackRefusal.missingCode`.
struct FragmentWords: Sendable {
    /// While the fragment is on its way to the gateway.
    let sending: Notice<String>
    /// For a browser that runs no scripts.
    let needsScript: Notice<String>
}
