internal import SwitchyardOAuth

/// An agent's news of tokens that are not, or not yet, in their storage.
public enum KeepingNews: Sendable {
    case notKept(KeepingProblem)
    /// They are there after all.
    case kept
}

/// The reason why an agent cannot keep the tokens of a sign-in. Free of secrets and of the account's name.
public struct KeepingProblem: Sendable {
    /// A closed list, for the log and for histories.
    public enum Reason: String, Sendable, CaseIterable {
        case locked = "storage_locked"
        case unavailable = "storage_unavailable"
        case denied = "storage_denied"
        /// The system cannot write, as on a full disk.
        case failed = "storage_failed"
        case tooLarge = "storage_limit"
        case unreadable = "storage_unreadable"
        /// The storage has not answered yet: the tokens may still be kept.
        case slow = "storage_slow"
        /// The account of the tokens is unknown.
        case noIDToken = "no_id_token"
        /// The issuer's account url did not name the account of the tokens.
        case noAccount = "no_account"
        /// Tokens of this app, or of this form, cannot be kept.
        case unusable = "unusable_tokens"

        /// Whether something on this machine is wrong. An app that asks for no ID token may keep its tokens itself.
        public var isFault: Bool { self != .noIDToken }
    }

    public let reason: Reason
    /// The failure, with the thing and the place.
    public let detail: String
    /// The way to mend it.
    public let remedy: String

    public init(_ reason: Reason, _ detail: String, remedy: String) {
        self.reason = reason
        self.detail = detail
        self.remedy = remedy
    }

    /// The account of the tokens is unknown, because the issuer's account url did not tell it.
    static func noAccount(_ failure: SignInFailure, at issuer: String) -> KeepingProblem {
        let words = failure.oauthError.map { "the account url refuses: \($0)" } ?? failure.description?.text
        return KeepingProblem(
            .noAccount, words ?? failure.code.rawValue,
            remedy: "look at account: of the issuer \"\(issuer)\", and whether the scopes let an app read it")
    }
}
