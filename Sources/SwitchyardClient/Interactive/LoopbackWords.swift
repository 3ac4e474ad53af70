internal import SwitchyardPages

/// The texts of the page at a loopback redirect URI, in one language.
///
/// A new language is a file like `LoopbackWords+French.swift`, and its name in `available`. The gateway's pages
/// (`Gateway/Pages`) and those of `switchyard ssh` (`Bridge/Pages`) have their own.
struct LoopbackWords: Sendable {
    struct Text: Sendable {
        let language: String
        let title: String
        let sentence: String
    }

    /// The available languages; the first one is the default.
    private static let available: [LoopbackWords] = [.english, .french]

    /// The primary subtag of the language (RFC 5646).
    private let language: String
    let signedIn: Text
    let failed: Text
    /// The sign-in has ended before.
    let taken: Text
    /// The app no longer waits for the sign-in.
    let tooLate: Text
    /// No app began the sign-in.
    let notStarted: Text
    /// The address is no redirect URI of a sign-in that is under way.
    let notHere: Text
    /// The browser belongs to another user, or the machine hides its user.
    let notOwnUser: Text

    /// Each of the texts is a title and a sentence.
    init(
        language: String, signedIn: (String, String), failed: (String, String), taken: (String, String),
        tooLate: (String, String), notStarted: (String, String), notHere: (String, String),
        notOwnUser: (String, String)
    ) {
        func text(_ words: (title: String, sentence: String)) -> Text {
            Text(language: language, title: words.title, sentence: words.sentence)
        }
        self.language = language
        self.signedIn = text(signedIn)
        self.failed = text(failed)
        self.taken = text(taken)
        self.tooLate = text(tooLate)
        self.notStarted = text(notStarted)
        self.notHere = text(notHere)
        self.notOwnUser = text(notOwnUser)
    }

    /// The texts in the available language that `Accept-Language` prefers.
    static func preferred(byAcceptLanguage field: String?) -> LoopbackWords {
        field.flatMap { AcceptLanguage($0).best(of: available, tag: \.language) } ?? .english
    }

    static let english = LoopbackWords(
        language: "en",
        signedIn: ("You are signed in", "You can close this page and go back to the app."),
        failed: ("The sign-in did not work", "Go back to the app: it says why, and you can try again there."),
        taken: ("This sign-in has ended already", "You can close this page and go back to the app."),
        tooLate: ("No sign-in waits for this page", "It took too long, or was canceled. Begin again in the app."),
        notStarted: (
            "Your app did not start this sign-in", "Nothing was changed. Do not copy this address to anybody."
        ),
        notHere: ("There is nothing here", "An app on this machine waits for a sign-in at another address."),
        notOwnUser: (
            "This page is for another user",
            "An app on this machine waits for its own user's browser, and this machine does not show that this is it. "
                + "Nothing was changed."
        ))
}
