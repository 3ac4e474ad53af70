/// What a page tells the person at the browser.
///
/// The cases down to `failed` name the app and the outcome: only a browser that holds the cookie of the sign-in may get
/// them. Everybody else gets `neutral` (design 3.4).
enum PageContent: Sendable, Equatable {
    /// The sign-in succeeded and the app has its result.
    case collected(SignInSummary)
    /// The sign-in succeeded and its result waits for the app. The page reloads itself after `refreshAfterSeconds`
    /// (1 or more); with nil it stays as it is and says so.
    case waitingForApp(SignInSummary, refreshAfterSeconds: Int?)
    /// The code is being redeemed right now. `refreshAfterSeconds` is as for `waitingForApp`.
    case redeeming(SignInSummary, refreshAfterSeconds: Int?)
    /// The code is held until the person has typed the short `code` into the program (rule 8). The page reloads itself.
    ///
    /// `action` is a path of our own, which gets `answer=not_me` by POST when the person says so.
    case releaseCode(SignInSummary, Asker, code: String, action: String)
    /// The body beside a redirect to the app's registered address: says the same, in case nothing happened.
    case returning(SignInSummary, appURL: String)
    /// The sign-in ended without a result.
    case failed(SignInSummary, FailureReason)
    /// Before the issuer, when the link was opened at another address than the program's (rule 8): for whoever has the
    /// link. `continueURL` leads on; `action` is as for `releaseCode`.
    case confirmStart(SignInSummary, Asker, continueURL: String, action: String)
    /// The page of a sign-in for a browser that has no cookie for it: neither the app nor the outcome.
    ///
    /// `reference` is shown as given: it is either known to be well-formed or nil, so that nobody can put words of
    /// their own on the page through its address.
    case neutral(reference: String?)
    /// The answer at a redirect URI with `response_mode=fragment`: posts the fragment to the page's own path.
    case fragment
    /// A callback, or another request of a browser, that was not accepted.
    case refused(CallbackRefusal)
}
