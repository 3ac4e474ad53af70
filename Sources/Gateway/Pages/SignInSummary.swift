/// What may be shown about one sign-in to the browser that holds its cookie.
struct SignInSummary: Sendable, Equatable {
    /// The registered name of the app, as its users know it.
    let app: String
    /// Where the app says that it runs; a claim of whoever began the sign-in, and shown as one.
    let hostLabel: String?
    /// The short public id of the sign-in.
    let reference: String
}
