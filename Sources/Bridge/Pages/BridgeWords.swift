internal import SwitchyardPages

/// The texts of the pages of bridged sign-ins, in one language.
///
/// A new language is a file like `BridgeWords+French.swift`, and its name in `available`. The gateway's pages
/// (`Gateway/Pages`) and those of the client library (`LoopbackWords`) have their own.
struct BridgeWords: Sendable {
    /// The available languages; the first one is the default.
    static let available: [BridgeWords] = [.english, .french]

    /// The language tag (RFC 5646).
    let tag: String
    let consent: ConsentWords
    let notices: @Sendable (BridgeNotice) -> Text

    struct Text: Sendable {
        let heading: String
        let explanation: String
    }

    struct ConsentWords: Sendable {
        let heading: String
        let explanation: Phrase<ConsentSlot>
        let warning: Phrase<ConsentSlot>
        let refuse: String
        let proceed: String
        let host: String
        let issuer: String
        let client: String
        let scope: String
        let noScope: String
        let path: String
        let resource: String
        let details: String
        let prompt: String
    }

    /// The available language that the field value of `Accept-Language` prefers.
    static func preferred(byAcceptLanguage field: String?) -> BridgeWords {
        field.flatMap { AcceptLanguage($0).best(of: available, tag: \.tag) } ?? .english
    }
}

/// The values that a sentence of the consent page can name.
enum ConsentSlot: Sendable {
    /// The far machine, as the person named it.
    case host
    /// The host of the sign-in service.
    case issuer
}

extension BridgeWords {
    static let english = BridgeWords(
        tag: "en",
        consent: ConsentWords(
            heading: "Did you just start this sign-in?",
            explanation: "A program on \(.host) asks this browser to sign in at \(.issuer).",
            warning:
                "Continue only if you have just started this there: whoever controls \(.host) gets what you are about "
                + "to allow.",
            refuse: "It was not me", proceed: "Continue to sign in", host: "Asked by the machine",
            issuer: "Sign-in service", client: "Program (client ID), as that machine says",
            scope: "Access that it asks for", noScope: "not said", path: "Page of that service",
            resource: "Access to this service", details: "Details of that access",
            prompt: "How that service is to ask (prompt)"),
        notices: { notice in
            switch notice {
            case .refused:
                Text(
                    heading: "Nothing was opened",
                    explanation: "The program on the other machine gets nothing. You can close this tab.")
            case .ended:
                Text(
                    heading: "This sign-in has ended",
                    explanation: "It took too long, or its program is gone. Begin again in that program.")
            case .alreadyDelivered:
                Text(
                    heading: "This sign-in has been passed on already",
                    explanation: "You can close this tab and go back to your program.")
            case .notStarted:
                Text(
                    heading: "You did not start this sign-in",
                    explanation: "Nothing was passed on. Do not give the address of this page to anybody.")
            case .notHere:
                Text(
                    heading: "There is nothing here",
                    explanation: "A program on another machine waits for a sign-in at another address.")
            case .notANavigation:
                Text(
                    heading: "This was not asked for by you",
                    explanation: "A page asked for it in the background. Nothing was passed on.")
            case .toolGone:
                Text(
                    heading: "The program is no longer waiting",
                    explanation: "It ended, or stopped waiting, before the sign-in came back. Start it again.")
            case .toolResponseUnusable:
                Text(
                    heading: "The sign-in was passed on",
                    explanation: "What the program answered cannot be shown here. Go back to it to see how it went.")
            }
        })
}
