internal import SwitchyardPages

extension Language {
    static let english = Language(
        tag: "en",
        strings: Strings(
            collected: Notice(
                heading: "You are signed in",
                explanation: "\(.app) has received your sign-in.",
                next: "You can close this tab and go back to \(.app)."),
            waitingForApp: Notice(
                heading: "Almost done",
                explanation: "Your sign-in succeeded, but \(.app) has not collected it yet.",
                next: "Go back to \(.app) and check that it is still running. It needs nothing more from this tab."),
            redeeming: Notice(
                heading: "Finishing your sign-in",
                explanation: "Your sign-in to \(.app) is being completed.",
                next: "This takes a few seconds."),
            releaseCode: Notice(
                heading: "Type this code into the program that you started",
                explanation: "Your sign-in to \(.app) continues as soon as that program has this code:",
                next: "Type it only into the program that you started yourself: an app, a terminal, your own coding "
                    + "agent. Nobody will ask you for it: no caller, no email, no message. Anyone who does "
                    + "wants to get into your account."),
            returning: Notice(
                heading: "Going back to your app",
                explanation: "You are going back to \(.app), which finishes the sign-in.",
                next: "If nothing happens, use this link:"),
            openApp: "Go back to \(.app)",
            failed: failed,
            delivered: Notice(
                heading: "Continue in your app",
                explanation: "\(.app) has received the response from your sign-in service.",
                next: "You can close this tab and go back to \(.app), which shows how your sign-in went."),
            delivering: Notice(
                heading: "Contacting your app",
                explanation: "The response from your sign-in service is on its way to \(.app).",
                next: "This takes a few seconds, or longer if \(.app) has to start first."),
            undelivered: Notice(
                heading: "Your app could not be reached",
                explanation: "\(.app) did not take the response from your sign-in service: it is not running here, or "
                    + "does not answer.",
                next: "Open \(.app) and start signing in again there. If this happens again, ask whoever looks "
                    + "after it for help."),
            passedOn: Notice(
                heading: "Continue in your app",
                explanation:
                    "Your browser was sent on to \(.app) on this computer, with the response from your sign-in service.",
                next:
                    "If it showed an error instead, \(.app) is no longer waiting for this sign-in: start again from there."
            ),
            confirmStart: StartConfirmation(
                heading: "Did you start this sign-in?",
                atAddress:
                    "A program at \(.address) asks you to sign in to \(.app). Your browser is at another address.",
                onThisMachine:
                    "A program on this gateway's own machine asks you to sign in to \(.app). Your browser is "
                    + "somewhere else.",
                somewhere: "A program asks you to sign in to \(.app). It is not known where that program is.",
                warning: "If you did not start this yourself, do not continue. If somebody sent you this link, it is "
                    + "an attack: they want to get into your account.",
                proceed: "Continue to sign in"),
            neutral: Notice(
                heading: "Nothing to show here",
                explanation: "Only the browser that signed in can see how that sign-in went.",
                next: "If you were signing in, go back to your app: it knows the result. You can close this tab."),
            startedElsewhere: Notice(
                heading: "This sign-in was started in another browser",
                explanation:
                    "It can only be finished where it was started. What your sign-in service sent to this browser "
                    + "is no longer accepted, not even there.",
                next:
                    "If somebody sent you the link of this sign-in, it may be an attack: tell your IT department. To sign "
                    + "in yourself, start from your app."),
            fragment: FragmentWords(
                sending: Notice(
                    heading: "Finishing your sign-in",
                    explanation: "The response from your sign-in service is on its way to your app.",
                    next: "This takes a few seconds."),
                needsScript: Notice(
                    heading: "Your sign-in is not finished yet",
                    explanation:
                        "This page needs a script to pass on the response from your sign-in service. Allow "
                        + "scripts for this page and reload it, or start again from your app.",
                    next: "Do not copy this page's address or send it to anyone, even if you are asked to.")),
            refused: refused,
            notMe: "It was not me",
            askedFrom: "Asked from",
            thisMachine: "this gateway's own machine",
            unknownPlace: "an unknown place",
            sameAddress: "the same address as this browser",
            askedAt: "Asked at",
            hostClaim: "The program says that it runs on",
            answerSays: "The response says (nobody has verified this)",
            reference: "Reference, if you ask for help",
            updatesItself: "This page updates by itself.",
            reloadToUpdate: "Reload this page to see if anything has changed."))

    @Sendable private static func failed(_ reason: FailureReason) -> Notice<AppPhrase> {
        let (explanation, next) = failure(reason)
        return Notice(heading: "You are not signed in", explanation: explanation, next: next)
    }

    private static func failure(_ reason: FailureReason) -> (explanation: AppPhrase, next: AppPhrase) {
        switch reason {
        case .accessDenied:
            (
                "The sign-in to \(.app) was refused, either by you or by a rule of your organization.",
                "To try again, close this tab and start from \(.app)."
            )
        case .canceled:
            (
                "The sign-in to \(.app) was canceled.",
                "You can close this tab. To sign in after all, start again from \(.app)."
            )
        case .notMe:
            (
                "The sign-in to \(.app) was ended, because you said that it was not you. Nobody got access.",
                "You can close this tab. If somebody sent you the link, tell your IT department."
            )
        case .wrongCode:
            (
                "Too many wrong codes were typed, so the sign-in to \(.app) was ended. Nobody got access.",
                "If it was you, start again from \(.app). If not, somebody else may have tried to get into your account: "
                    + "tell your IT department."
            )
        case .releaseExpired:
            (
                "The code was not typed in time, so the sign-in to \(.app) was ended. Nobody got access.",
                "Close this tab and start again from \(.app)."
            )
        case .codeNotTaken:
            (
                "The code was typed so late that your sign-in service no longer accepts the sign-in to \(.app).",
                "Start again from \(.app), and type the code as soon as you see it."
            )
        case .declinedScopes:
            (
                "\(.app) was not allowed everything that it needs, so the sign-in was not completed.",
                "Start again from \(.app) and allow what it asks for. If you are not able to, ask your IT department."
            )
        case .expired:
            (
                "The sign-in to \(.app) took too long and has expired.",
                "Close this tab and start again from \(.app)."
            )
        case .interactionRequired:
            (
                "Your sign-in service needs one more step from you before \(.app) can continue.",
                "Close this tab and start again from \(.app)."
            )
        case .protectionPolicyRequired:
            (
                "Your organization allows \(.app) only on devices or in apps that it manages.",
                "Ask your IT department how to meet this requirement, then start again from \(.app)."
            )
        case .issuerUnavailable:
            (
                "Your sign-in service is having trouble and did not complete the sign-in to \(.app).",
                "Wait a few minutes, then start again from \(.app)."
            )
        case .issuerRefused:
            (
                "Your sign-in service did not accept the request from \(.app).",
                "Start again from \(.app). If this happens again, ask whoever looks after it for help."
            )
        case .answerNotTrusted:
            (
                "The response from your sign-in service could not be verified, so \(.app) did not get it.",
                "Start again from \(.app). If this happens again, ask whoever looks after it for help."
            )
        case .internalError:
            (
                "Something went wrong here, and the sign-in to \(.app) was not completed.",
                "Start again from \(.app). If this happens again, ask whoever looks after it for help."
            )
        }
    }

    private static let startAgain = "Close this tab and start again from your app."
    private static let keepAddress =
        "Do not copy this page's address or send it to anyone, even if you are asked to. "
        + "If you want to sign in, close this tab and start again from your app."

    @Sendable private static func refused(_ refusal: CallbackRefusal) -> Notice<String> {
        switch refusal {
        case .unknownState:
            Notice(
                heading: "This sign-in was not started by your app",
                explanation: "No app is waiting for it, so nothing was done with it.",
                next: keepAddress)
        case .expired:
            Notice(
                heading: "This sign-in has expired",
                explanation: "It took too long, and your app is no longer waiting for it.",
                next: startAgain)
        case .ended:
            Notice(
                heading: "This sign-in is over",
                explanation: "It was completed or ended before, and its link cannot be used again.",
                next: "If you still want to sign in, close this tab and start again from your app.")
        case .wrongRedirectURI:
            Notice(
                heading: "This sign-in came to the wrong address",
                explanation: "It belongs to another app, so nothing was done with it.",
                next: keepAddress)
        case .wrongIssuer:
            Notice(
                heading: "This response came from the wrong sign-in service",
                explanation: "It is not from the service that your app asked, so nothing was done with it.",
                next: keepAddress)
        case .wrongResponseMode:
            Notice(
                heading: "This response came in the wrong way",
                explanation: "Your app asked for it in another form, so nothing was done with it.",
                next: keepAddress)
        case .responseNotTrusted:
            Notice(
                heading: "This response could not be verified",
                explanation: "It does not prove that it is from your sign-in service, so nothing was done with it.",
                next: keepAddress)
        case .duplicateParameter:
            Notice(
                heading: "This sign-in cannot be read",
                explanation: "Part of the response appeared twice, so nothing was done with it.",
                next: keepAddress)
        case .missingCode:
            Notice(
                heading: "This sign-in is incomplete",
                explanation: "The response says neither that the sign-in succeeded nor that it failed.",
                next: startAgain)
        case .malformed:
            Notice(
                heading: "This sign-in cannot be read",
                explanation: "The response is damaged or contradicts itself, so nothing was done with it.",
                next: startAgain)
        case .anotherBrowser:
            Notice(
                heading: "This sign-in was started in another browser",
                explanation: "It can only be finished where it was started, so nothing was done with it.",
                next: keepAddress)
        case .replayed:
            Notice(
                heading: "This sign-in was already used",
                explanation: "It came again with another code, which was not accepted.",
                next: keepAddress)
        case .notFound:
            Notice(
                heading: "There is nothing at this address",
                explanation: "The address may be mistyped or out of date.",
                next: "If you were signing in, close this tab and start again from your app.")
        case .methodNotAllowed, .unsupportedContentType:
            Notice(
                heading: "This request was not accepted",
                explanation: "It was sent in a form that this address does not take.",
                next: startAgain)
        case .tooLarge:
            Notice(
                heading: "This request is too large",
                explanation: "It is longer than a sign-in ever is, so it was not read.",
                next: startAgain)
        case .tooManyRequests:
            Notice(
                heading: "Too many requests",
                explanation: "More requests came from your network than can be answered now.",
                next: "Wait a minute, then reload this page.")
        case .prefetch:
            Notice(
                heading: "Nothing has happened yet",
                explanation:
                    "Your browser loaded this address in advance, or another page did, and that does not sign anyone in.",
                next: "Reload this page to continue.")
        case .unavailable:
            Notice(
                heading: "Sign-in is not available right now",
                explanation: "This service cannot answer at the moment.",
                next: "Wait a minute, then reload this page.")
        }
    }
}
