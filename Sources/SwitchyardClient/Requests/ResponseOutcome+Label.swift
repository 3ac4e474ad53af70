extension ResponseOutcome {
    /// For logs.
    var label: String {
        switch self {
        case .completed: "completed"
        case .notMine: "not mine"
        case .noPendingRequest: "no pending request"
        case .alreadyConsumed: "already consumed"
        case .stateMismatch: "state mismatch"
        case .expired: "expired"
        case .malformed(let reason): "malformed, \(reason)"
        }
    }
}
