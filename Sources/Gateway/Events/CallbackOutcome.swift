/// What became of a callback: the one closed list of log, metrics and timeline.
enum CallbackOutcome: Hashable, Sendable {
    /// It was given its request.
    case accepted
    /// The same one came before; it got the first one's outcome.
    case repeated
    /// It was not taken, and nothing changed because of it.
    case refused(CallbackProblem)
    /// Its address is no redirect URI of ours.
    case notMine
    /// The browser only looked ahead.
    case prefetch
    /// A redirect URI is not called by this method.
    case wrongMethod
    /// Its sender sends more than its share.
    case limited

    /// Of outcomes that are no refusal by a check of the callback itself.
    private static let plain: [CallbackOutcome] = [.accepted, .repeated, .notMine, .prefetch, .wrongMethod, .limited]

    static let allCases = plain + CallbackProblem.allCases.map { .refused($0) }

    /// As users find it in the log, in metrics and in the timeline.
    var name: String {
        switch self {
        case .accepted: "accepted"
        case .repeated: "repeated"
        case .refused(let problem): problem.rawValue
        case .notMine: "not_mine"
        case .prefetch: "prefetch"
        case .wrongMethod: "wrong_method"
        case .limited: "limited"
        }
    }
}
