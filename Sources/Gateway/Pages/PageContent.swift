internal import SwitchyardPendingRequests
internal import SwitchyardRouting

/// The content of a page for the person at the browser.
///
/// The cases down to `passedOn` name the app and the outcome: only a browser that holds the cookie of the sign-in may
/// get them. Other browsers get `neutral`.
enum PageContent: Sendable, Equatable {
    /// The sign-in succeeded and the app has its result.
    case collected(SignInSummary)
    /// The sign-in succeeded and its result waits for the app. A live page shows by itself when
    /// something changes; another one stays as it is and says so.
    case waitingForApp(SignInSummary, isLive: Bool)
    /// The code is being redeemed right now. `isLive` is as for `waitingForApp`.
    case redeeming(SignInSummary, isLive: Bool)
    /// The code is held until the person has typed the short `code` into the program. The page is live.
    ///
    /// `action` is a path of our own, which gets `answer=not_me` by POST when the person says so.
    case releaseCode(SignInSummary, Asker, code: String, action: String)
    /// The body beside a redirect to the app's registered address: says the same, in case the browser does not follow.
    case returning(SignInSummary, appURL: String)
    /// The sign-in ended without a result. `said` holds the unverified words of the answer's sender.
    case failed(SignInSummary, FailureReason, said: String? = nil)
    /// An app that keeps its own state has the answer; what it makes of it is not known here.
    case delivered(SignInSummary)
    /// It is on its way there. The page is live.
    case delivering(SignInSummary)
    /// No handler has handed it over.
    case undelivered(SignInSummary)
    /// The browser took it to the app on its own machine: the body beside the redirect there, and the page of the sign-in since.
    case passedOn(SignInSummary)
    /// The page before the issuer, for a link that was opened at another address than the program's. `continueURL`
    /// leads on; `action` is as for `releaseCode`.
    case confirmStart(SignInSummary, Asker, continueURL: String, action: String)
    /// The page of a sign-in for a browser without its cookie: it names neither the app nor the outcome.
    case neutral(reference: Reference?)
    /// The page for a browser that brought the callback of a sign-in that was started in another one.
    case startedElsewhere(Reference)
    /// The answer at a redirect URI with `response_mode=fragment`: posts the fragment to the page's own path.
    case fragment
    /// A callback, or another request of a browser, that was not accepted, and the reference by which operators find it.
    case refused(CallbackRefusal, Reference? = nil)
    /// The same for a response that the browser keeps, at the address where it goes on with it. The page is live.
    case comingAgain(CallbackRefusal, Reference?)
}

/// The facts about one sign-in for the browser that holds its cookie.
struct SignInSummary: Sendable, Equatable {
    /// The registered name of the app, as its users know it.
    let app: String
    /// The place where the app says that it runs; a claim of the beginner, and shown as one.
    let hostLabel: String?
    /// The short public id of the sign-in.
    let reference: Reference
    /// The app's own logo and help; nil for the operator's.
    var branding: AppBranding?
    /// The host of the resource, whose operator gets the access; nil for an app.
    var resource: String?
}

/// The beginner of a sign-in, as far as the person at the browser can use it.
struct Asker: Sendable, Equatable {
    /// The origin of the call that began the sign-in.
    enum Origin: Sendable, Equatable {
        /// The network address that it asked from, as text.
        case address(String)
        /// It asked over a Unix socket: it runs on the gateway's own machine.
        case thisMachine
        /// It asked through a proxy that names no client.
        case unknown
    }

    let origin: Origin
    /// When it asked, for people to read: `2026-11-21 06:05 UTC`.
    let time: String
    /// The same for scripts: `2026-11-21T06:05Z`.
    var moment: String { time.replacing(" UTC", with: "Z").replacing(" ", with: "T") }
    /// Whether the browser comes from the same address. A help for the person and no proof: an attacker can share an
    /// address with the victim. Only given for the origin `address`.
    let isSameAddress: Bool

    init(origin: Origin, time: String, isSameAddress: Bool = false) {
        self.origin = origin
        self.time = time
        self.isSameAddress = isSameAddress
    }
}
