internal import SwitchyardPendingRequests

/// What a page tells the person at the browser.
///
/// The cases down to `passedOn` name the app and the outcome: only a browser that holds the cookie of the sign-in may get
/// them. Everybody else gets `neutral`.
enum PageContent: Sendable, Equatable {
    /// The sign-in succeeded and the app has its result.
    case collected(SignInSummary)
    /// The sign-in succeeded and its result waits for the app. The page reloads itself after `refreshAfterSeconds`
    /// (1 or more); with nil it stays as it is and says so.
    case waitingForApp(SignInSummary, refreshAfterSeconds: Int?)
    /// The code is being redeemed right now. `refreshAfterSeconds` is as for `waitingForApp`.
    case redeeming(SignInSummary, refreshAfterSeconds: Int?)
    /// The code is held until the person has typed the short `code` into the program. The page reloads itself.
    ///
    /// `action` is a path of our own, which gets `answer=not_me` by POST when the person says so.
    case releaseCode(SignInSummary, Asker, code: String, action: String)
    /// The body beside a redirect to the app's registered address: says the same, in case nothing happened.
    case returning(SignInSummary, appURL: String)
    /// The sign-in ended without a result. `said` is what the answer itself says about it, in the words of whoever sent it:
    /// nobody has verified them.
    case failed(SignInSummary, FailureReason, said: String? = nil)
    /// An app that keeps its own state has the answer; what it makes of it is not known here.
    case delivered(SignInSummary)
    /// It is on its way there. `refreshAfterSeconds` is as for `waitingForApp`.
    case delivering(SignInSummary, refreshAfterSeconds: Int?)
    /// Nothing has handed it over.
    case undelivered(SignInSummary)
    /// The browser took it to the app on its own machine: the body beside the redirect there, and the page of the sign-in since.
    case passedOn(SignInSummary)
    /// Before the issuer, when the link was opened at another address than the program's: for whoever has the
    /// link. `continueURL` leads on; `action` is as for `releaseCode`.
    case confirmStart(SignInSummary, Asker, continueURL: String, action: String)
    /// The page of a sign-in for a browser that has no cookie for it: neither the app nor the outcome.
    ///
    /// `reference` is shown as given: it is either known to be well-formed or nil, so that nobody can put words of
    /// their own on the page through its address.
    case neutral(reference: String?)
    /// Where a browser is sent that brought the callback of a sign-in which was started in another one. `reference` is as
    /// for `neutral`.
    case startedElsewhere(reference: String)
    /// The answer at a redirect URI with `response_mode=fragment`: posts the fragment to the page's own path.
    case fragment
    /// A callback, or another request of a browser, that was not accepted, and the reference by which operators find it.
    case refused(CallbackRefusal, Reference? = nil)
}

/// What may be shown about one sign-in to the browser that holds its cookie.
struct SignInSummary: Sendable, Equatable {
    /// The registered name of the app, as its users know it.
    let app: String
    /// Where the app says that it runs; a claim of whoever began the sign-in, and shown as one.
    let hostLabel: String?
    /// The short public id of the sign-in.
    let reference: String
}

/// Who began a sign-in, as far as the person at the browser can make use of it.
struct Asker: Sendable, Equatable {
    /// Where the program that began the sign-in is.
    enum Place: Sendable, Equatable {
        /// The network address that it asked from, as text.
        case address(String)
        /// It asked over a Unix socket: it runs on the gateway's own machine.
        case thisMachine
        /// It asked through a proxy that does not say for whom.
        case unknown
    }

    let place: Place
    /// When it asked, for people to read: `2026-11-21 06:05 UTC`.
    let time: String
    /// Whether the browser comes from the same address. A help for the person, and no proof: an attacker can share an
    /// address with the victim. Nothing is said about it for another `place`.
    let isSameAddress: Bool

    init(place: Place, time: String, isSameAddress: Bool = false) {
        self.place = place
        self.time = time
        self.isSameAddress = isSameAddress
    }
}
