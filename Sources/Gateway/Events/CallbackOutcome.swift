/// The outcome of a callback: the one closed list for log, metrics and histories.
enum CallbackOutcome: Hashable, Sendable {
    /// It was refused and changed no request.
    case refused(CallbackError)
    /// Its content passed all checks.
    case plain(Plain)

    /// Its raw value is how users find it in the log, in metrics and in the timeline.
    enum Plain: String, CaseIterable, Sendable {
        /// It was given its request.
        case accepted
        /// The same one came before; it got the first one's outcome.
        case repeated
        /// Its address is no redirect URI of ours.
        case notMine = "not_mine"
        /// The browser only looked ahead.
        case prefetch
        /// A redirect URI is not called by this method.
        case wrongMethod = "wrong_method"
        /// Its sender sends more than its share.
        case limited
    }

    static let accepted = CallbackOutcome.plain(.accepted)
    static let repeated = CallbackOutcome.plain(.repeated)
    static let notMine = CallbackOutcome.plain(.notMine)
    static let prefetch = CallbackOutcome.plain(.prefetch)
    static let wrongMethod = CallbackOutcome.plain(.wrongMethod)
    static let limited = CallbackOutcome.plain(.limited)

    static let allCases = Plain.allCases.map { plain($0) } + CallbackError.allCases.map { refused($0) }

    /// The name for users in the log, in metrics and in the timeline.
    var name: String {
        switch self {
        case .refused(let problem): problem.rawValue
        case .plain(let plain): plain.rawValue
        }
    }
}
