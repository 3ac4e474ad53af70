/// What an agent tells of the tokens of a sign-in that are not, or not yet, where they belong.
public enum KeepingNews: Sendable {
    case notKept(KeepingProblem)
    /// They are there after all.
    case kept
}

/// Why an agent cannot keep the tokens of a sign-in. Nothing in it is secret, and nothing says whose they are.
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
        /// Nothing is known yet: it may still be kept.
        case slow = "storage_slow"
        /// Nobody can tell whose they are.
        case noIDToken = "no_id_token"
        /// The app, or what the issuer sent, is nothing that tokens could be kept of.
        case unusable = "unusable_tokens"

        /// Whether something on this machine is wrong. An app that asks for no ID token may keep its tokens itself.
        public var isFault: Bool { self != .noIDToken }
    }

    public let reason: Reason
    /// What went wrong, with the thing and the place.
    public let detail: String
    /// What to do about it.
    public let remedy: String

    public init(_ reason: Reason, _ detail: String, remedy: String) {
        self.reason = reason
        self.detail = detail
        self.remedy = remedy
    }
}
