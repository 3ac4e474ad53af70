/// What a page tells the person at the browser.
///
/// The first four cases name the app and the outcome: only a browser that holds the cookie of the sign-in may get them.
/// Everybody else gets `neutral` (design 3.4).
enum PageContent: Sendable, Equatable {
    /// The sign-in succeeded and the app has its result.
    case collected(SignInSummary)
    /// The sign-in succeeded and its result waits for the app. The page reloads itself after `refreshAfterSeconds`
    /// (1 or more); with nil it stays as it is and says so.
    case waitingForApp(SignInSummary, refreshAfterSeconds: Int?)
    /// The code is being redeemed right now. `refreshAfterSeconds` is as for `waitingForApp`.
    case redeeming(SignInSummary, refreshAfterSeconds: Int?)
    /// The sign-in ended without a result.
    case failed(SignInSummary, FailureReason)
    /// The page of a sign-in for a browser that has no cookie for it: neither the app nor the outcome.
    ///
    /// `reference` is shown as given: it is either known to be well-formed or nil, so that nobody can put words of
    /// their own on the page through its address.
    case neutral(reference: String?)
    /// A callback, or another request of a browser, that was not accepted.
    case refused(CallbackRefusal)
}
