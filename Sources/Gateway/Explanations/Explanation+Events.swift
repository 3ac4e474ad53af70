extension LogEventName {
    var explanation: Explanation {
        var explanation = Explanation(.event, rawValue, words)
        if self == .responseNotTrusted { explanation.sentence = "the signed response" }
        return explanation
    }

    private static let nothing = "No action is needed."

    private var words: Explanation.Words {
        switch self {
        case .begun: ("an app began a sign-in; `from` says where", Self.nothing)
        case .pageSeen: ("a browser was shown the page that names the app", Self.nothing)
        case .started: ("a browser was sent to the issuer", Self.nothing)
        case .accepted: ("a callback was given its request", Self.nothing)
        case .repeated: ("the same callback came again, and got the first one's outcome", Self.nothing)
        case .refused:
            ("a callback was not taken; `reason` is why", "Explain the reason: `switchyard explain REASON`.")
        case .responseNotTrusted:
            (
                "a signed response (JARM) was not believed; `reason` is why",
                "Compare client_id and the issuer's keys with the registration, and both machines' clocks."
            )
        case .held: ("the code waits until the app proves that it belongs to the browser", Self.nothing)
        case .released: ("the app proved that it belongs to the browser", Self.nothing)
        case .wrongCode:
            (
                "an app gave a wrong release code",
                "If it happens often, look at `from` of `begun` with the same reference: somebody may guess."
            )
        case .denied:
            (
                "the person at the browser said that somebody else began the sign-in",
                "Look at `from` of `begun` with the same reference, and tell your security team."
            )
        case .redeemed: ("the issuer gave tokens for the code", Self.nothing)
        case .sealed: ("the result was sealed to the app's key", Self.nothing)
        case .completed: ("the result is ready", Self.nothing)
        case .passedOn: ("the app has the callback by another way, so the sign-in is over here", Self.nothing)
        case .failed:
            (
                "a sign-in ended without tokens; `reason` is the code that the app gets, and `cause` says more",
                "Explain the sign-in: `switchyard explain REFERENCE`."
            )
        case .collected: ("the app has read the outcome", Self.nothing)
        case .acknowledged: ("the app has what it wanted, and the outcome is forgotten", Self.nothing)
        case .canceled: ("the app gave its request up", Self.nothing)
        case .expired:
            ("no callback came in time", "If it happens to all, `switchyard doctor` looks at the way to this gateway.")
        case .tokensKept: ("the agent has kept the tokens of a sign-in after all", Self.nothing)
        case .tokensNotKept:
            (
                "the agent cannot keep the tokens of a sign-in; `reason` is why",
                "Do what `remedy` in the same line says."
            )
        case .refreshed: ("an app had a refresh token exchanged", Self.nothing)
        case .refreshFailed:
            ("the issuer did not exchange a refresh token", "Explain the line's reason: `switchyard explain REASON`.")
        case .revoked: ("a token was revoked at the issuer", Self.nothing)
        case .revocationFailed:
            ("the issuer did not revoke a token", "Explain the line's reason: `switchyard explain REASON`.")
        case .tokenGiven: ("the agent gave a program an access token", Self.nothing)
        case .tokenRefused:
            ("the agent gave a program no access token", "Explain the line's reason: `switchyard explain REASON`.")
        case .limited:
            (
                "a caller was turned away because of a limit; `reason` is its key below `limits`",
                "Explain the limit: `switchyard explain REASON`."
            )
        case .releaseGuessed:
            (
                "30 release codes or tickets from one network were wrong for an app within an hour; its begins and releases get 429 until that hour is over",
                "Ask who uses the app from the network beside `from`. Stop a program that guesses or repeats a code; others go on when the oldest of the 30 is an hour old. If it is the network of a proxy, list that in trusted_proxies."
            )
        case .beginRefused:
            (
                "the app's begin_from does not let this caller begin",
                "If the caller may, list the network, user or certificate that `from` shows in begin_from."
            )
        case .useRefused:
            (
                "the app's use_from does not let this program use the agent's tokens",
                "If the program may, list what `program` shows in use_from."
            )
        case .callRefused:
            (
                "a call of the API, or bytes that are no request, got an error",
                "Explain the line's reason: `switchyard explain REASON`."
            )
        case .delivered: ("an app that keeps its own state took a callback", Self.nothing)
        case .deliveryFailed:
            (
                "a handler did not hand a callback over; with again=true it is tried again",
                "Look at the reason beside it: `switchyard explain REASON`. Is the app, or its server, running, and does it take the callback?"
            )
        case .dispatched: ("a browser was sent on by a redirect handler", Self.nothing)
        case .issuerCalled: ("an issuer was called and has answered", Self.nothing)
        case .issuerFailing:
            (
                "an endpoint of an issuer is out of order; `reason` is why",
                "Explain the reason: `switchyard explain REASON`. `switchyard doctor` asks the issuer from this machine."
            )
        case .issuerWell: ("an issuer's endpoint works again", Self.nothing)
        case .gatewaySilent:
            (
                "the gateway that brings callbacks to this agent does not answer",
                "Look whether it runs, and compare `gateway` of the app in the agent's configuration with its address."
            )
        case .store: ("where requests are kept", Self.nothing)
        case .storeWarning:
            (
                "the store may lose requests as it is set up, holds a record that no gateway with these keys has written, or was open to other users",
                "Do what the line's reason says."
            )
        case .storeFailed:
            (
                "the store does not do what it is asked: a full disk, a database that was moved, or Redis out of reach",
                "Look at the reason beside it, and at /readyz. Nothing is used up meanwhile: apps and browsers are told to come again. `switchyard doctor` looks at the store."
            )
        case .storeBack: ("the store works again", Self.nothing)
        case .storeNotClosed:
            (
                "the gateway ended while the disk of its database stood still",
                "Look at the disk. Sign-ins of the last moments may have to begin again."
            )
        case .keyMissing:
            (
                "requests of the store are sealed with the encryption key `id`, which is not below encryption_keys: it was taken out too early",
                "Put the key back below encryption_keys, behind the one that seals now, and reload. Take it out after twice request_lifetime; with `resources`, later (docs/operation.md)."
            )
        case .historyFailed:
            (
                "histories of sign-ins cannot be kept; `reason` is why",
                "Look at the disk of the database, or at Redis. Sign-ins themselves go on."
            )
        case .libsecretMissing:
            (
                "the desktop has a keyring, but the agent keeps tokens in an encrypted file, because libsecret is missing",
                "Install libsecret-1-0 and start the agent again. `switchyard doctor --desktop` looks at it. Tokens in the file are not moved: sign in again."
            )
        case .listening: ("a listener serves", Self.nothing)
        case .ready: ("the gateway serves", Self.nothing)
        case .stopping: ("the gateway stops, and waits for what is under way", Self.nothing)
        case .stopped:
            (
                "the gateway has stopped; `cut` counts what was not over in time",
                "If `cut` is often above 0, raise `stop_timeout`."
            )
        case .configurationWarning:
            (
                "something in the configuration probably should not be there",
                "Do what the line's reason says; `switchyard check` says it, too."
            )
        case .reloaded: ("a configuration was read again and taken", Self.nothing)
        case .reloadRefused:
            (
                "a configuration was read again and cannot be used; the old one stays",
                "`switchyard check` says what is wrong and where. Then `switchyard reload`."
            )
        case .certificateTaken: ("a listener shows a certificate that changed on the disk", Self.nothing)
        case .certificateRefused:
            (
                "a certificate changed on the disk and cannot be used; the old one stays",
                "Put a certificate and the key that belongs to it in the files that the line names. They are taken by themselves."
            )
        case .upgradeBegun: ("the program was started anew to take this one's place", Self.nothing)
        case .upgraded: ("the new program serves, and this one ends", Self.nothing)
        case .upgradeRefused:
            (
                "the new program could not take over; this one serves on",
                "Mend what the line's reason says, and send SIGUSR2 again."
            )
        case .linesNotShown:
            (
                "so many lines of the kind that `reason` names were not written, because they came too fast",
                "Metrics have counted them all. Look at `from` in the lines that were written."
            )
        case .logLinesLost:
            (
                "so many lines could not be written, because the log's reader was too slow",
                "Look at the journal, or at the program that reads standard error."
            )
        }
    }
}
