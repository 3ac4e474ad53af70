/// The words by which log lines say why something was refused: one closed list, each word of which ``Explanation`` explains.
enum RefusalReason {
    /// The events whose `reason` is one of ``all``.
    static let events: Set<String> = ["refused", "limited", "call_refused", "begin_refused", "use_refused"]

    /// Keys of an app's configuration that keep callers out.
    static let keys = ["begin_from", "use_from"]

    static let all: Set<String> = {
        var all = Set(keys)
        all.formUnion(CallbackOutcome.allCases.filter { $0 != .accepted && $0 != .repeated }.map(\.name))
        all.formUnion(CallbackRefusal.allCases.map(\.reason))
        all.formUnion(APIErrorName.allCases.map(\.rawValue))
        all.formUnion(GatewayLimit.allCases.map(\.name))
        return all
    }()
}
