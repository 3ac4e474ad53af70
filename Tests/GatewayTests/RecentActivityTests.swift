import SwitchyardOAuth
import SwitchyardPendingRequests
import SwitchyardReactor
import SwitchyardText
import Synchronization
import TestSupport
import Testing

@testable import SwitchyardGateway
@testable import SwitchyardRedemption

@Suite("Recent activity") struct RecentActivityTests {
    private final class Clock: Sendable {
        private let milliseconds = Mutex<Int64>(1_800_000_000_000)

        var now: Int64 { milliseconds.withLock(\.self) }

        func pass(seconds: Int64) { milliseconds.withLock { $0 += seconds * 1000 } }
    }

    private let clock: Clock
    private let recent: RecentActivity

    init() {
        let clock = Clock()
        self.clock = clock
        recent = RecentActivity(clock: { WallTime(milliseconds: clock.now) })
    }

    private func report(_ step: SignInStep) {
        recent.receive(.signIn(step, reference: Reference(), app: "app"))
    }

    private func refuse(_ problem: CallbackError) {
        recent.receive(
            .callback(
                CallbackReport(
                    outcome: .refused(problem), app: nil, reference: nil, isOfRequest: false,
                    caller: Caller(.local(uid: 1)), channel: nil, isIssuerNamed: nil)))
    }

    @Test("steps are counted where they fall, and are gone after 15 minutes")
    func steps() {
        report(.completed)
        clock.pass(seconds: 10)
        report(.expired)
        report(.canceled)
        report(.failed(SignInFailureNote(code: .network)))
        let now = recent.snapshot
        #expect(now.steps.count == 90)
        #expect(now.steps[89] == RecentActivity.Step(failed: 1, abandoned: 2))
        #expect(now.steps[88] == RecentActivity.Step(completed: 1))
        #expect(now.failures == ["network": 1])
        clock.pass(seconds: 890)
        #expect(recent.snapshot.steps[0] == RecentActivity.Step(failed: 1, abandoned: 2))
        clock.pass(seconds: 10)
        #expect(recent.snapshot.steps.allSatisfy { $0 == RecentActivity.Step() })
        // The last refusals stay: they say when they were.
        #expect(recent.snapshot.last.map(\.reason) == ["network"])
    }

    @Test("a clock that is set back neither ends the process nor mixes the times")
    func clockSetBack() {
        report(.completed)
        clock.pass(seconds: -3600)
        report(.begun(from: Caller(.local(uid: 1))))
        #expect(recent.snapshot.steps[89] == RecentActivity.Step(begun: 1))
        #expect(recent.snapshot.steps.map(\.completed).reduce(0, +) == 0)
    }

    @Test("the content is bounded, and a flood of callbacks pushes out no failed sign-in")
    func bounded() {
        report(.denied)
        for _ in 0..<10_000 { refuse(.unknownState) }
        let now = recent.snapshot
        #expect(now.last.count == 21)
        #expect(now.last.contains { $0.kind == .signIn && $0.reason == "release_failed" && $0.reference != nil })
        #expect(now.refusals == ["unknown_state": 10_000])
    }

    @Test("an issuer's own words are not repeated")
    func issuers() {
        func exchange(_ problem: IssuerExchange.Problem?) -> GatewayEvent {
            .issuerCalled(
                IssuerExchange(issuer: "demo", endpoint: .token, problem: problem, duration: .milliseconds(1)))
        }
        recent.receive(exchange(.oauthError("contoso_secret_policy", number: "AADSTS1")))
        #expect(recent.snapshot.issuers["demo"]?.lastFailure?.reason == "oauth_error")
        #expect(recent.snapshot.issuers["demo"]?.isFailing[.token] == false)
        recent.receive(exchange(.timedOut))
        #expect(recent.snapshot.issuers["demo"]?.isFailing[.token] == true)
        recent.receive(exchange(nil))
        #expect(recent.snapshot.issuers["demo"]?.isFailing[.token] == false)
        #expect(recent.snapshot.issuers["demo"]?.lastFailure?.reason == "timed_out")
    }
}
