internal import SwitchyardPages

/// Checked: the original. The other languages say what stands here.
extension Phrases {
    static let english = Phrases(
        signIn: .english, endings: .english, question: .english, facts: .english, frame: .english, notices: .english,
        refusals: .english, farMachine: .english, loopback: .english,
        desktop: .english)
}

extension SignInPhrases {
    fileprivate static let english = SignInPhrases(
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
            // safety: the code goes into the program that the reader started, and nowhere else
            heading: "Type this code into the program that you started",
            explanation: "Your sign-in to \(.app) continues as soon as that program has this code:",
            // safety: type it only into a program that you started yourself
            next: "Type it only into the program that you started yourself: an app, a terminal, your own coding agent. "
                // safety: nobody asks for the code, by any way; anyone who asks wants to get into your account
                + "Nobody will ask you for it: no caller, no email, no message. Anyone who does wants to get into your "
                + "account."),
        returning: Notice(
            heading: "Going back to your app",
            explanation: "You are going back to \(.app), which finishes the sign-in.",
            next: "If nothing happens, use this link:"),
        openApp: "Go back to \(.app)",
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
            explanation: "\(.app) did not take the response from your sign-in service: it is not running here, or does "
                + "not answer.",
            next: "Open \(.app) and start signing in again there. If this happens again, ask whoever looks after it "
                + "for help."),
        passedOn: Notice(
            heading: "Continue in your app",
            explanation: "Your browser was sent on to \(.app) on this computer, with the response from your sign-in "
                + "service.",
            next: "If it showed an error instead, \(.app) is no longer waiting for this sign-in: start again from "
                + "there."))
}

extension EndingPhrases {
    fileprivate static let english = EndingPhrases(
        heading: "You are not signed in",
        accessDenied: Ending(
            "The sign-in to \(.app) was refused, either by you or by a rule of your organization.",
            "To try again, close this tab and start from \(.app)."),
        canceled: Ending(
            "The sign-in to \(.app) was canceled.",
            "You can close this tab. To sign in after all, start again from \(.app)."),
        notMe: Ending(
            // safety: it was ended because the reader said that another person began it, and nobody got access
            "The sign-in to \(.app) was ended, because you said that it was not you. Nobody got access.",
            // safety: if somebody sent you the link, tell your IT department
            "You can close this tab. If somebody sent you the link, tell your IT department."),
        wrongCode: Ending(
            // safety: it was ended because too many wrong codes were typed, and nobody got access
            "Too many wrong codes were typed, so the sign-in to \(.app) was ended. Nobody got access.",
            // safety: if it was not you who typed, somebody may have tried to get into your account; tell IT
            "If it was you, start again from \(.app). If not, somebody else may have tried to get into your account: "
                + "tell your IT department."),
        releaseExpired: Ending(
            // safety: it was ended because the code was not typed in time, and nobody got access
            "The code was not typed in time, so the sign-in to \(.app) was ended. Nobody got access.",
            "Close this tab and start again from \(.app)."),
        codeNotTaken: Ending(
            "The code was typed so late that your sign-in service no longer accepts the sign-in to \(.app).",
            "Start again from \(.app), and type the code as soon as you see it."),
        declinedScopes: Ending(
            "\(.app) was not allowed everything that it needs, so the sign-in was not completed.",
            "Start again from \(.app) and allow what it asks for. If you are not able to, ask your IT department."),
        expired: Ending(
            "The sign-in to \(.app) took too long and has expired.",
            "Close this tab and start again from \(.app)."),
        interactionRequired: Ending(
            "Your sign-in service needs one more step from you before \(.app) can continue.",
            "Close this tab and start again from \(.app)."),
        protectionPolicyRequired: Ending(
            "Your organization allows \(.app) only on devices or in apps that it manages.",
            "Ask your IT department how to meet this requirement, then start again from \(.app)."),
        issuerUnavailable: Ending(
            "Your sign-in service is having trouble and did not complete the sign-in to \(.app).",
            "Wait a few minutes, then start again from \(.app)."),
        issuerRefused: Ending(
            "Your sign-in service did not accept the request from \(.app).",
            "Start again from \(.app). If this happens again, ask whoever looks after it for help."),
        answerNotTrusted: Ending(
            // safety: the response could not be verified, and the app did not get it
            "The response from your sign-in service could not be verified, so \(.app) did not get it.",
            "Start again from \(.app). If this happens again, ask whoever looks after it for help."),
        internalError: Ending(
            "Something went wrong here, and the sign-in to \(.app) was not completed.",
            "Start again from \(.app). If this happens again, ask whoever looks after it for help."))
}

extension QuestionPhrases {
    fileprivate static let english = QuestionPhrases(
        // safety: asks whether the reader began this sign-in
        heading: "Did you start this sign-in?",
        // safety: a program at ADDRESS asks you to sign in to APP, and your browser is at another address
        atAddress: "A program at \(.address) asks you to sign in to \(.app). Your browser is at another address.",
        // safety: a program on the server that shows this page asks you to sign in; your browser is elsewhere
        onThisMachine: "A program on the server that shows this page asks you to sign in to \(.app). Your browser is "
            + "somewhere else.",
        // safety: a program at an unknown place asks you to sign in
        somewhere: "A program asks you to sign in to \(.app). It is not known where that program is.",
        // safety: if you did not begin this yourself, do not continue
        warning: "If you did not start this yourself, do not continue. "
            // safety: a link that somebody sent you is an attack: they want to get into your account
            + "If somebody sent you this link, it is an attack: they want to get into your account.",
        // safety: the operator of HOST gets the access that you allow, not the program
        resourceOperator: "The operator of \(.host), not the program, gets the access that you allow.",
        // safety: the button says that somebody else began this sign-in
        notMe: "It was not me",
        proceed: "Continue to sign in")
}

extension FactPhrases {
    fileprivate static let english = FactPhrases(
        askedFrom: "Asked from",
        thisMachine: "the server that shows this page",
        // safety: the place is not known
        unknownPlace: "an unknown place",
        // safety: a plain observation about the two addresses, which promises nothing about the program
        sameAddress: "the same address as this browser",
        askedAt: "Asked at",
        // safety: only the program says so
        hostClaim: "The program says that it runs on",
        resource: "Access to",
        // safety: the sender of the response says so, and nobody has verified it
        answerSays: "The response says (nobody has verified this)",
        reference: "Reference, if you ask for help")
}

extension FramePhrases {
    fileprivate static let english = FramePhrases(
        updatesItself: "This page shows by itself when something changes.",
        reloadToUpdate: "Reload this page to see if anything has changed.",
        reload: "Reload",
        changed: "Something has changed: the page is being loaded again.",
        unreachable: "This service cannot be reached at the moment. The page keeps trying.",
        stoppedLooking: "This page no longer looks for changes by itself. Reload it to see if anything has changed.",
        help: "Help",
        privacy: "Privacy")
}

extension NoticePhrases {
    fileprivate static let english = NoticePhrases(
        neutral: Notice(
            heading: "Nothing to show here",
            explanation: "Only the browser that signed in can see how that sign-in went.",
            next: "If you were signing in, go back to your app: it knows the result. You can close this tab."),
        startedElsewhere: Notice(
            heading: "This sign-in was started in another browser",
            // safety: it can only be finished in the browser where it was started
            explanation: "It can only be finished where it was started. "
                // safety: the response that this browser brought is accepted no more, in no browser
                + "What your sign-in service sent to this browser is no longer accepted, not even there.",
            // safety: if somebody sent you the link, it may be an attack; tell your IT department
            next: "If somebody sent you the link of this sign-in, it may be an attack: tell your IT department. To "
                + "sign in yourself, start from your app."),
        sendingFragment: Notice(
            heading: "Finishing your sign-in",
            explanation: "The response from your sign-in service is on its way to your app.",
            next: "This takes a few seconds."),
        fragmentNeedsScript: Notice(
            heading: "Your sign-in is not finished yet",
            explanation: "This page needs a script to pass on the response from your sign-in service. Allow scripts "
                + "for this page and reload it, or start again from your app.",
            // safety: do not copy the address of this page or send it to anyone, even if you are asked to
            next: "Do not copy this page's address or send it to anyone, even if you are asked to."))
}

private let startAgain = "Close this tab and start again from your app."
private let keepAddress =
    // safety: do not copy the address of this page or send it to anyone, even if you are asked to
    "Do not copy this page's address or send it to anyone, even if you are asked to. "
    + "If you want to sign in, close this tab and start again from your app."

extension RefusalPhrases {
    fileprivate static let english = RefusalPhrases(
        unknownState: Notice(
            // safety: your app did not start this sign-in
            heading: "This sign-in was not started by your app",
            explanation: "No app is waiting for it, so nothing was done with it.",
            next: keepAddress),
        expired: Notice(
            heading: "This sign-in has expired",
            explanation: "It took too long, and your app is no longer waiting for it.",
            next: startAgain),
        ended: Notice(
            heading: "This sign-in is over",
            explanation: "It was completed or ended before, and its link cannot be used again.",
            next: "If you still want to sign in, close this tab and start again from your app."),
        wrongRedirectURI: Notice(
            heading: "This sign-in came to the wrong address",
            explanation: "It belongs to another app, so nothing was done with it.",
            next: keepAddress),
        wrongIssuer: Notice(
            // safety: the response is from a sign-in service that the app did not ask
            heading: "This response came from the wrong sign-in service",
            explanation: "It is not from the service that your app asked, so nothing was done with it.",
            next: keepAddress),
        wrongResponseMode: Notice(
            heading: "This response came in the wrong way",
            explanation: "Your app asked for it in another form, so nothing was done with it.",
            next: keepAddress),
        responseNotTrusted: Notice(
            // safety: the response could not be verified
            heading: "This response could not be verified",
            // safety: nothing proves that it is from the reader's sign-in service, and nothing was done with it
            explanation: "It does not prove that it is from your sign-in service, so nothing was done with it.",
            next: keepAddress),
        duplicateParameter: Notice(
            heading: "This sign-in cannot be read",
            explanation: "Part of the response appeared twice, so nothing was done with it.",
            next: keepAddress),
        missingCode: Notice(
            heading: "This sign-in is incomplete",
            explanation: "The response says neither that the sign-in succeeded nor that it failed.",
            next: startAgain),
        malformed: Notice(
            heading: "This sign-in cannot be read",
            explanation: "The response is damaged or contradicts itself, so nothing was done with it.",
            next: startAgain),
        anotherBrowser: Notice(
            heading: "This sign-in was started in another browser",
            // safety: it can only be finished in the browser where it was started, and nothing was done with it
            explanation: "It can only be finished where it was started, so nothing was done with it.",
            next: keepAddress),
        replayed: Notice(
            // safety: this sign-in was used before
            heading: "This sign-in was already used",
            // safety: it came again with another code, which was not accepted
            explanation: "It came again with another code, which was not accepted.",
            next: keepAddress),
        notFound: Notice(
            heading: "There is nothing at this address",
            explanation: "The address may be mistyped or out of date.",
            next: "If you were signing in, close this tab and start again from your app."),
        wrongForm: Notice(
            heading: "This request was not accepted",
            explanation: "It was sent in a form that this address does not take.",
            next: startAgain),
        tooLarge: Notice(
            heading: "This request is too large",
            explanation: "It is longer than a sign-in ever is, so it was not read.",
            next: startAgain),
        tooManyRequests: Notice(
            heading: "Too many requests",
            explanation: "More requests came from your network than can be answered now.",
            next: "Wait a minute, then reload this page."),
        prefetch: Notice(
            heading: "Nothing has happened yet",
            explanation: "Your browser loaded this address in advance, or another page did, and that does not sign "
                + "anyone in.",
            next: "Reload this page to continue."),
        unavailable: Notice(
            heading: "Sign-in is not available right now",
            explanation: "This service cannot answer at the moment.",
            next: "Wait a minute, then reload this page."))
}

extension FarMachinePhrases {
    fileprivate static let english = FarMachinePhrases(
        consent: .english,
        refused: Message(
            heading: "Nothing was opened",
            // safety: the program on the other machine gets nothing
            text: "The program on the other machine gets nothing. You can close this tab."),
        ended: Message(
            heading: "This sign-in has ended",
            text: "It took too long, or its program is gone. Begin again in that program."),
        alreadyDelivered: Message(
            heading: "This sign-in has been passed on already",
            text: "You can close this tab and go back to your program."),
        notStarted: Message(
            // safety: you did not start this sign-in
            heading: "You did not start this sign-in",
            // safety: nothing was passed on; do not give the address of this page to anybody
            text: "Nothing was passed on. Do not give the address of this page to anybody."),
        notHere: Message(
            heading: "There is nothing here",
            text: "A program on another machine waits for a sign-in at another address."),
        notANavigation: Message(
            // safety: it was not the reader who asked for this
            heading: "You did not ask for this",
            // safety: a page asked in the background, and nothing was passed on
            text: "A page asked for it in the background. Nothing was passed on."),
        toolGone: Message(
            heading: "The program is no longer waiting",
            text: "It ended, or stopped waiting, before the sign-in came back. Start it again."),
        toolResponseUnusable: Message(
            heading: "The sign-in was passed on",
            text: "The program's answer cannot be shown here. Go back to it to see how your sign-in went."))
}

extension ConsentPhrases {
    fileprivate static let english = ConsentPhrases(
        // safety: asks whether the reader began this sign-in a moment ago
        heading: "Did you just start this sign-in?",
        // safety: a program on the machine HOST asks this browser to sign in at ISSUER
        explanation: "A program on \(.host) asks this browser to sign in at \(.issuer).",
        // safety: continue only if you began this there a moment ago
        warning: "Continue only if you have just started this there: "
            // safety: the people who control HOST get everything that you are about to allow
            + "whoever controls \(.host) gets what you are about to allow.",
        host: "Asked by the machine",
        issuer: "Sign-in service",
        path: "Page of that service",
        // safety: the name of the program is a claim of the far machine
        client: "Program (client ID), as that machine says",
        scope: "Access that it asks for",
        noScope: "not said",
        resource: "Access to this service",
        details: "Details of that access",
        prompt: "How that service should ask (prompt)")
}

extension LoopbackPhrases {
    fileprivate static let english = LoopbackPhrases(
        signedIn: Message(
            heading: "You are signed in",
            text: "You can close this tab and go back to your app."),
        failed: Message(
            heading: "You are not signed in",
            text: "Go back to your app: it says why, and you can try again there."),
        taken: Message(
            heading: "This sign-in is over",
            text: "It was completed or ended before. You can close this tab and go back to your app."),
        tooLate: Message(
            heading: "No app is waiting for this sign-in",
            text: "It took too long, or was canceled. Start again from your app."),
        notStarted: Message(
            // safety: your app did not start this sign-in
            heading: "This sign-in was not started by your app",
            // safety: nothing was done with it; do not copy the address of this page or send it to anyone
            text: "Nothing was done with it. Do not copy this page's address or send it to anyone, even if you are "
                + "asked to."),
        notHere: Message(
            heading: "There is nothing at this address",
            text: "An app on this computer is waiting for a sign-in at another address."),
        notOwnUser: Message(
            heading: "This page is for another user",
            // safety: the browser is not seen to be the app user's own, and nothing was done
            text: "An app on this computer is waiting for the browser of its own user, and it is not certain that this "
                + "is that browser. Nothing was done."))
}

extension DesktopPhrases {
    fileprivate static let english = DesktopPhrases(
        appsLeftOut: Message(
            heading: "An app cannot sign you in",
            text: "The file with its settings has a mistake and is left out. `switchyard doctor --desktop` "
                + "says which file it is."),
        noApp: Message(
            heading: "This sign-in belongs to no app",
            text: "No app of this session has the address that your browser was sent to. "
                // safety: do not give the address to anybody
                + "Do not give it to anybody."),
        notAwaited: Message(
            heading: "No app waits for this sign-in",
            text: "It was not started by an app of this session, or that app no longer waits. "
                // safety: do not give the address of the page to anybody
                + "Do not give the address of the page to anybody. "
                + "To sign in, start again from your app."),
        used: Message(
            heading: "This sign-in has been used",
            text: "Go back to your app. If it still waits, start again from there."),
        expired: Message(
            heading: "This sign-in took too long",
            text: "Start again from your app."),
        appIsGone: Message(
            heading: "Your app cannot be reached",
            text: "Start it, and sign in again from there."),
        outOfReach: Message(
            heading: "Your sign-in could not be handed over",
            text: "The program that brings it to your app does not start. `switchyard doctor` says why. Then "
                + "start again from your app."),
        keyringLocked: Message(
            heading: "Your sign-in is not saved yet",
            text: "The keyring is locked. Unlock it, and the sign-in is saved by itself. If you do not, you "
                + "have to sign in again in your next session."),
        signInNeeded: Message(
            heading: "A program waits for your sign-in",
            text: "It wants to use the server below on your behalf. "
                // safety: sign in only if you expect it
                + "Only if you expect that, open the address in your browser and sign in."),
        notSaved: Message(
            heading: "Your sign-in is not saved yet",
            text: "Something is in the way, such as a full disk; `switchyard doctor` may say what. Once it is "
                + "gone, the sign-in is saved by itself. If it stays, you have to sign in again in your "
                + "next session."))
}
