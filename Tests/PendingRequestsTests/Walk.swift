import SwitchyardOAuth
import SwitchyardPendingRequests

/// A request in words, for tables: where it starts, the steps that lead elsewhere, and what it is then.
enum Walk {
    static let steps = [
        "claim A", "claim B", "hand over", "finish", "cancel", "read", "acknowledge", "age", "hold A", "release",
        "miss",
        "deny", "settle A",
    ]

    /// How to come to each starting point, and the second at which the next step is taken.
    static let starts: [String: (steps: [String], second: Int)] = [
        "pending": ([], 5), "overdue": ([], 600),
        "claimed": (["hold A", "hand over"], 5), "claimed, lease over": (["hold A", "hand over"], 65),
        "redeeming": (["claim A"], 5), "redeeming, lease over": (["claim A"], 65),
        "completed": (["claim A", "finish"], 5), "completed without redeeming": (["hold A", "hand over", "finish"], 5),
        "settled": (["settle A"], 5),
        "read": (["claim A", "finish", "read"], 5), "acknowledged": (["claim A", "finish", "acknowledge"], 5),
        "canceled": (["cancel"], 5), "canceled when claimed": (["claim A", "cancel"], 5),
        "held": (["hold A"], 5), "held for too long": (["hold A"], 305),
        "held, two misses": (["hold A", "miss", "miss"], 5),
        "released": (["hold A", "release"], 5),
        "misproved": (["hold A", "miss", "miss", "miss"], 5), "denied": (["hold A", "deny"], 5),
        "denied before the callback": (["deny"], 5), "held and forgotten": (["hold A", "wait", "age"], 605),
        "expired": (["wait", "age"], 605), "abandoned": (["claim A", "wait", "age"], 605),
    ]

    static func transition(_ step: String, at now: Timestamp) -> RequestTransition? {
        switch step {
        case "claim A": .claim(by: "A", at: now)
        case "claim B": .claim(by: "B", at: now)
        case "hand over": .release(.sample(at: now), for: .answer)
        case "finish": .complete(at: now)
        case "cancel": .cancel(.sample(.canceled, at: now))
        case "read": .read(discardAt: now + .seconds(60))
        case "acknowledge": .acknowledge
        case "age": .age
        case "hold A": .hold(by: "A", at: now)
        case "release": .release(.sample(at: now), for: .redemption)
        case "miss": .miss(.sample(.misproved, at: now))
        case "deny": .deny(.sample(.denied, at: now))
        case "settle A": .settle(by: "A", at: now)
        default: nil
        }
    }

    /// The request at a starting point; nil when it cannot be reached.
    static func record(at start: String, from begun: RequestRecord = .sample()) -> RequestRecord? {
        guard let way = starts[start] else { return nil }
        var record = begun
        var now = Timestamp.at(5)
        for step in way.steps {
            if step == "wait" {
                now = .at(600)
                continue
            }
            guard let transition = transition(step, at: now), (try? record.apply(transition, at: now)) != nil else {
                return nil
            }
        }
        return record
    }

    /// A request in words.
    static func words(_ record: RequestRecord) -> String {
        switch record.phase {
        case .pending: return "pending"
        case .claimed: return "claimed"
        case .releaseRequired(let held): return "held \(held.attemptsLeft)"
        case .redeeming: return "redeeming"
        case .finished(let outcome):
            let kind =
                switch outcome.kind {
                case .completed: "completed"
                case .errorResponse(let code): "handed over \(code.rawValue)"
                case .failed(let code): "failed \(code.rawValue)"
                case .canceled: "canceled"
                case .expired: "expired"
                case .denied: "denied"
                case .misproved: "misproved"
                case .heldTooLong: "held too long"
                case .passedOn: "passed on"
                }
            let reading = outcome.isAcknowledged ? " taken" : outcome.firstReadAt != nil ? " read" : ""
            return kind + (outcome.isCollectable ? "" : " empty") + reading
        }
    }
}
