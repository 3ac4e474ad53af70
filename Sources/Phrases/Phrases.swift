package import SwitchyardPages

/// Every word that a person reads, in one language: on the gateway's pages, on those of `switchyard ssh`, at
/// a loopback redirect URI of the client library, and in a desktop's notifications.
///
/// A language is one file in `Languages`; the compiler refuses it while a phrase is missing. Texts are plain: markup in
/// them is shown, not interpreted. A comment `safety:` stands above each sentence that protects the reader from an
/// attack, with its meaning. It is the same in each language, and `Tests/Repository` compares the files.
package struct Phrases: Sendable {
    package let signIn: SignInPhrases
    package let endings: EndingPhrases
    package let question: QuestionPhrases
    package let facts: FactPhrases
    package let frame: FramePhrases
    package let notices: NoticePhrases
    package let refusals: RefusalPhrases
    package let farMachine: FarMachinePhrases
    package let loopback: LoopbackPhrases
    package let desktop: DesktopPhrases
}

/// The words of one page: its subject, the reason, and the person's next step.
///
/// `Text` is `String` on pages without an app and `AppPhrase` on the others. So a translation cannot name an app on a
/// page without one.
package struct Notice<Text: Sendable>: Sendable {
    /// The only heading of the page, and its title.
    package let heading: String
    /// The event, in one or two sentences.
    package let explanation: Text
    /// The next step, in one or two sentences.
    package let next: Text

    package init(heading: String, explanation: Text, next: Text) {
        (self.heading, self.explanation, self.next) = (heading, explanation, next)
    }
}

/// The words of a short page: its subject, and one or two sentences.
package struct Message: Sendable {
    /// The only heading of the page, and its title.
    package let heading: String
    package let text: String

    package init(heading: String, text: String) {
        (self.heading, self.text) = (heading, text)
    }
}

/// A sentence on a page that knows the app.
package typealias AppPhrase = Phrase<AppSlot>

package enum AppSlot: Sendable {
    /// The app's name, or the host of a resource.
    case app
}

/// A sentence on a page that knows the app and the address of the program that asks.
package typealias AskerPhrase = Phrase<AskerSlot>

package enum AskerSlot: Sendable {
    /// The app's name, or the host of a resource.
    case app
    /// The address that the request to sign in came from.
    case address
}

/// A sentence on a page that names a resource.
package typealias ResourcePhrase = Phrase<ResourceSlot>

package enum ResourceSlot: Sendable {
    /// The host of the resource.
    case host
}

/// A sentence on the page of `switchyard ssh` that asks.
package typealias FarMachinePhrase = Phrase<FarMachineSlot>

package enum FarMachineSlot: Sendable {
    /// The far machine, as the person named it.
    case host
    /// The host of the sign-in service.
    case issuer
}
