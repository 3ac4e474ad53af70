/// A sign-in within an app on its way, as a continuation token stands for it.
struct NativeSession: Sendable {
    enum Step: Sendable, Equatable {
        /// The name is known; what next has not been asked.
        case initiated
        /// The password is awaited.
        case password
        /// This code is awaited, which was sent.
        case code(String)
        /// The password was right, and a second factor is needed.
        case secondFactor
        /// This code is awaited, as the second factor.
        case secondCode(String)
        /// Nothing is missing.
        case ready
    }

    /// What a request with a continuation token comes to.
    enum Move: Sendable {
        /// Another continuation token takes the place of this one.
        case proceed(Step)
        /// Tokens come; the continuation token is used up.
        case finish
        /// The app has to use a browser.
        case redirect
        /// The continuation token stays good, so that a typing error can be put right.
        case refuse(TokenError)
    }

    let clientID: String
    let user: NativeUser
    /// Whether the app said `mfa_required` among its capabilities.
    let handlesSecondFactor: Bool
    var step = Step.initiated
}
