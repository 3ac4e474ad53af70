import SwitchyardHandlers
import SwitchyardOAuth
import SwitchyardPendingRequests
import SwitchyardRedemption
import SwitchyardRouting
import Testing

@testable import SwitchyardGateway

@Suite("Explanations") struct ExplanationTests {
    /// Every word from a closed list that a line of the log, or a page, can show.
    static let words: [String] =
        LogEventName.allCases.map(\.rawValue) + CallbackOutcome.allCases.map(\.name)
        + SignInFailure.Code.allCases.map(\.rawValue) + SignInFailureNote.Cause.allCases.map(\.rawValue)
        + SignInObstacle.Name.allCases.map(\.rawValue) + KeepingProblem.Reason.allCases.map(\.rawValue)
        + GatewayLimit.allCases.map(\.name) + DeliveryResult.allCases.map(\.rawValue)
        + RelayRefusal.allCases.map(\.rawValue) + APIErrorName.allCases.map(\.rawValue)
        + OAuthErrorName.allCases.map(\.rawValue) + IssuerExchange.Endpoint.allCases.map(\.rawValue)
        + RequestRecord.Held.Proof.allCases.map(\.rawValue) + CallbackChannel.allCases.map(\.rawValue)
        + DeliveryName.allCases.map(\.rawValue)

    @Test("every word of the log and of pages is explained")
    func allWords() {
        for word in Self.words { #expect(Explanation.named(word).contains { $0.name == word }, "\(word)") }
    }

    @Test("every status of an issuer is explained, listed or not", arguments: [100, 301, 403, 404, 418, 429, 502, 999])
    func statuses(status: Int) {
        let obstacle = SignInObstacle.status(status)
        #expect(SignInObstacle(label: obstacle.label) == obstacle)
        #expect(Explanation.named(obstacle.label).map(\.name) == [obstacle.label])
        #expect(obstacle.explanation.cause.contains("\(status)"))
    }

    @Test(
        "a word that is none has no obstacle",
        arguments: ["status_", "status_99", "status_1000", "status_abc", "", "x"])
    func noObstacle(label: String) {
        #expect(SignInObstacle(label: label) == nil)
    }

    @Test(
        "every sentence about an ID token leads to its word",
        arguments: [
            .missingClaim(name: "nonce"), .wrongIssuer, .tenantNotAllowed, .wrongAudience, .expired, .notYetValid,
            .wrongNonce, .wrongAccessTokenHash,
            .wrongCodeHash,
        ] as [IDTokenError.Reason])
    func sentences(reason: IDTokenError.Reason) {
        let sentence = "\(IDTokenError(reason, found: "\"x\"", expected: "\"y\""))"
        #expect(Explanation.named(sentence).map(\.name) == [reason.obstacle.rawValue])
    }

    @Test("each name stands once in its kind, and has a cause and a remedy in words")
    func table() {
        var seen: Set<String> = []
        for one in Explanation.all {
            #expect(seen.insert("\(one.kind) \(one.name)").inserted, "\(one.name)")
            #expect(!one.cause.isEmpty && !one.cause.hasSuffix("."), "\(one.name)")
            #expect(one.remedy.hasSuffix(".") || one.remedy.hasSuffix("?"), "\(one.name)")
        }
    }

    @Test(
        "an event that fails shows its exact cause",
        arguments: [SignInObstacle.named(.certificateExpired), .status(403)])
    func exactCause(obstacle: SignInObstacle) {
        var failure = SignInFailure(.network)
        failure.obstacle = obstacle
        var note = SignInFailureNote(failure, issuer: "contoso")
        #expect(note.exactCause == obstacle.label)
        note.cause = .codeTooOld
        #expect(note.exactCause == "code_too_old")
    }
}
