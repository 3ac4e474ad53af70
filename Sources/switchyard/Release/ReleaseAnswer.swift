internal import SwitchyardGatewayClient
internal import SwitchyardJSON

/// The result of a release code that was given to a waiting process, as its socket tells it.
enum ReleaseAnswer: Hashable, Sendable {
    case released
    /// - Parameter attemptsLeft: 0 when the sign-in has ended with it.
    case wrong(attemptsLeft: Int)
    /// The sign-in does not wait for a code: not yet, or no longer.
    case notWaiting
    /// The gateway could not be asked, or refused.
    case failed(String)

    init(_ response: PendingSignIn.ReleaseResponse) {
        switch response {
        case .released: self = .released
        case .wrong(let left): self = .wrong(attemptsLeft: left)
        case .over: self = .notWaiting
        }
    }

    var json: JSONObject {
        switch self {
        case .released: ["result": "released"]
        case .wrong(let left): ["result": "wrong", "attempts_left": .integer(Int64(left))]
        case .notWaiting: ["result": "not_waiting"]
        case .failed(let reason): ["result": "failed", "reason": .string(reason)]
        }
    }

    /// - Parameter json: as ``json`` has it; anything else is a failure.
    init(_ json: JSONObject) {
        switch json["result"]?.string {
        case "released": self = .released
        case "wrong": self = .wrong(attemptsLeft: Int(clamping: json["attempts_left"]?.integer ?? 0))
        case "not_waiting": self = .notWaiting
        default: self = .failed(json["reason"]?.string ?? "the process that waits gives no answer")
        }
    }
}
