/// The words by which log lines say why something was refused: one closed list, each word of which ``Explanation`` explains.
enum RefusalReason {
    /// The events with a `reason` from ``all``.
    static let events: Set<LogEventName> = [.refused, .limited, .callRefused, .beginRefused, .useRefused]

    /// Keys of an app's configuration that keep callers out.
    enum Key: String, CaseIterable, Sendable {
        case beginFrom = "begin_from"
        case useFrom = "use_from"
    }

    static let all: Set<String> = {
        var all = Set(Key.allCases.map(\.rawValue))
        all.formUnion(CallbackOutcome.allCases.filter { $0 != .accepted && $0 != .repeated }.map(\.name))
        all.formUnion(CallbackRefusal.allCases.map(\.reason))
        all.formUnion(APIErrorName.allCases.map(\.rawValue))
        all.formUnion(GatewayLimit.allCases.map(\.name))
        return all
    }()
}
