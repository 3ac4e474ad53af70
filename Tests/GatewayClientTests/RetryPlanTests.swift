import SwitchyardReactor
import Testing

@testable import SwitchyardGatewayClient

@Suite("Plan of retries") struct RetryPlanTests {
    private let start = Instant(nanoseconds: 1_000_000_000)

    @Test("pauses grow, and are never longer than ten seconds by themselves")
    func growing() {
        var plan = RetryPlan(until: start + .seconds(600), at: start)
        let pauses = (0..<8).map { _ in plan.pause(retryAfter: nil, at: start) }
        #expect(
            pauses == [
                .milliseconds(500), .seconds(1), .seconds(2), .seconds(4), .seconds(8), .seconds(10), .seconds(10),
                .seconds(10),
            ])
    }

    @Test(
        "Retry-After is honoured, but not beyond the end",
        arguments: [(30, 30), (0, 1), (-5, 1), (9000, 600), (Int.max, 600)])
    func retryAfter(asked: Int, seconds: Int) {
        var plan = RetryPlan(until: start + .seconds(600), at: start)
        _ = plan.pause(retryAfter: nil, at: start)
        #expect(plan.pause(retryAfter: asked, at: start) == .seconds(seconds))
    }

    @Test("it lasts until the end, however many calls failed, and no longer")
    func end() {
        var plan = RetryPlan(until: start + .seconds(600), at: start)
        for second in stride(from: 0, to: 600, by: 5) {
            #expect(plan.pause(retryAfter: nil, at: start + .seconds(second)) != nil)
        }
        #expect(plan.pause(retryAfter: nil, at: start + .seconds(600)) == nil)
    }

    @Test("after the end it lasts as long as a good answer comes every minute")
    func afterTheEnd() {
        var plan = RetryPlan(until: start + .seconds(10), at: start)
        plan.answered(at: start + .seconds(100))
        #expect(plan.pause(retryAfter: nil, at: start + .seconds(159)) != nil)
        #expect(plan.pause(retryAfter: nil, at: start + .seconds(160)) == nil)
    }

    @Test("a good answer begins a new row")
    func newRow() {
        var plan = RetryPlan(until: start + .seconds(600), at: start)
        #expect(!plan.isFirstSetback)
        _ = plan.pause(retryAfter: nil, at: start)
        #expect(plan.isFirstSetback)
        _ = plan.pause(retryAfter: nil, at: start)
        #expect(!plan.isFirstSetback)
        plan.answered(at: start)
        #expect(plan.pause(retryAfter: nil, at: start) == .milliseconds(500))
        #expect(plan.isFirstSetback)
    }
}
