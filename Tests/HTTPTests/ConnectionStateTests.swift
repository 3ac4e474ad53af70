import Testing

@testable import SwitchyardHTTP

@Suite("Connection state") struct ConnectionStateTests {
    /// The events of a connection.
    enum Event: Sendable {
        case requestBegan, answerBegins, lastAnswerBegins, answerEnded, stop
    }

    /// A connection after these events, and what came of the last one.
    private func after(_ events: [Event]) -> (state: ConnectionState, outcome: String) {
        var state = ConnectionState()
        var outcome = ""
        for event in events {
            switch event {
            case .requestBegan: state.requestBegan()
            case .answerBegins: outcome = state.answerBegins(wantsEnd: false) ? "stays" : "ends"
            case .lastAnswerBegins: outcome = state.answerBegins(wantsEnd: true) ? "stays" : "ends"
            case .answerEnded: outcome = state.answerEnded() ? "stays" : "ends"
            case .stop: outcome = "\(state.stop())"
            }
        }
        return (state, outcome)
    }

    private static let answer: [Event] = [.requestBegan, .answerBegins, .answerEnded]

    @Test(
        "what happens leads to one state",
        arguments: [
            ([], .fresh(isStopping: false)),
            ([.requestBegan], .busy(isLast: false)),
            ([.requestBegan, .answerBegins], .busy(isLast: false)),
            ([.requestBegan, .lastAnswerBegins], .ending),
            (answer, .idle),
            (answer + [.requestBegan], .busy(isLast: false)),
            (answer + answer, .idle),
            ([.stop], .fresh(isStopping: true)),
            ([.stop, .requestBegan], .busy(isLast: true)),
            ([.stop, .requestBegan, .answerBegins], .ending),
            ([.requestBegan, .stop], .busy(isLast: true)),
            ([.requestBegan, .stop, .answerBegins], .ending),
            ([.requestBegan, .answerBegins, .stop, .answerEnded], .ending),
            (answer + [.stop], .ending),
            ([.requestBegan, .lastAnswerBegins, .stop, .requestBegan], .ending),
        ] as [([Event], ConnectionState.Phase)])
    func phases(events: [Event], phase: ConnectionState.Phase) {
        #expect(after(events).state.phase == phase)
    }

    @Test(
        "a connection ends where somebody wants it to, and the answer says so",
        arguments: [
            ([.requestBegan, .answerBegins], "stays"), ([.requestBegan, .lastAnswerBegins], "ends"),
            ([.requestBegan, .stop, .answerBegins], "ends"), ([.stop, .requestBegan, .answerBegins], "ends"),
            (answer, "stays"), ([.requestBegan, .answerBegins, .stop, .answerEnded], "ends"),
            ([.requestBegan, .lastAnswerBegins, .answerEnded], "ends"),
        ] as [([Event], String)])
    func endings(events: [Event], outcome: String) {
        #expect(after(events).outcome == outcome)
    }

    @Test(
        "a stop closes what is idle, lets run what is busy, and gives a newcomer a last chance",
        arguments: [
            ([], .lastChance), ([.stop], .lastChance), ([.requestBegan], .letRun), (answer, .close),
            (answer + [.stop], .letRun), ([.requestBegan, .lastAnswerBegins], .letRun),
        ] as [([Event], ConnectionState.Stop)])
    func stops(events: [Event], stop: ConnectionState.Stop) {
        #expect(after(events + [.stop]).outcome == "\(stop)")
    }
}
