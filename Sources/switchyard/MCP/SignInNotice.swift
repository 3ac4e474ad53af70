internal import SwitchyardGatewayClient
internal import SwitchyardJSON
internal import SwitchyardMCP
internal import SwitchyardPhrases

/// A sign-in that waits for the person, and the words that say so.
struct SignInNotice: Sendable {
    let host: String
    let reference: String
    let startURL: String

    init(host: String, _ signIn: PendingSignIn) {
        self.host = host
        reference = signIn.reference
        startURL = signIn.startURL
    }

    var words: String { "sign in to \(host): open \(startURL) in a browser (sign-in \(reference))" }

    var release: String {
        "sign-in \(reference): the browser shows a code; type in a terminal: switchyard release CODE"
    }

    /// The end of a call that has waited long enough.
    var error: String {
        "\(words). If the page shows a code, type in a terminal: switchyard release CODE. Then call again"
    }

    var data: JSONValue { ["start_url": .string(startURL), "reference": .string(reference)] }

    var elicitation: SignInElicitation {
        SignInElicitation(
            id: reference, url: startURL,
            message: "Sign in to \(host). If the page shows a code, type in a terminal: switchyard release CODE")
    }

    /// Only from a task of a loop.
    func showOnDesktop() async {
        let message = Language.ofPerson.phrases.desktop.signInNeeded
        let lines = [message.text, "", DesktopNotification.escaped(host), DesktopNotification.escaped(startURL)]
        _ = await DesktopNotification.show(message.heading, lines.joined(separator: "\n"))
    }
}
