import SwitchyardOAuth
import SwitchyardPendingRequests
import Synchronization
import Testing

@testable import SwitchyardGateway

@Suite("Telling how time has ended a sign-in") struct EventReporterTests {
    private final class Told: EventSink {
        let steps = Mutex<[String]>([])
        var wantsDispatches: Bool { false }

        func receive(_ event: GatewayEvent) {
            guard case .signIn(let step, reference: _, app: _) = event else { return }
            let word =
                switch step {
                case .expired: "expired"
                case .failed(let note): "failed \(note.cause?.rawValue ?? note.code.rawValue)"
                default: "\(step)"
                }
            steps.withLock { $0.append(word) }
        }
    }

    static let ends: [(steps: [RequestTransition], told: [String])] = [
        ([.age], ["expired"]),
        ([.hold, .age], ["failed held_too_long"]),
        ([.claim, .age], ["failed abandoned"]),
        // The step that canceled or finished it was reported already.
        ([.cancel], []), ([.claim, .finish(.completed)], []), ([], []),
    ]

    @Test("an end is told as what it is, and no end that time did not bring is told again", arguments: ends)
    func end(of steps: [RequestTransition], told: [String]) throws {
        let sink = Told()
        EventReporter([sink]).reportEnd(of: try .sample(steps))
        #expect(sink.steps.withLock(\.self) == told)
    }
}
