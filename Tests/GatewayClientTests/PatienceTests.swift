import SwitchyardReactor
import Testing

@testable import SwitchyardGatewayClient

@Suite("Patience with a gateway") struct PatienceTests {
    private let start = Instant(nanoseconds: 1_000_000_000)

    @Test("pauses grow, and are never longer than ten seconds by themselves")
    func growing() {
        var patience = Patience(until: start + .seconds(600), at: start)
        let pauses = (0..<8).map { _ in patience.pause(retryAfter: nil, at: start) }
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
        var patience = Patience(until: start + .seconds(600), at: start)
        _ = patience.pause(retryAfter: nil, at: start)
        #expect(patience.pause(retryAfter: asked, at: start) == .seconds(seconds))
    }

    @Test("it lasts until the end, however many calls failed, and no longer")
    func end() {
        var patience = Patience(until: start + .seconds(600), at: start)
        for second in stride(from: 0, to: 600, by: 5) {
            #expect(patience.pause(retryAfter: nil, at: start + .seconds(second)) != nil)
        }
        #expect(patience.pause(retryAfter: nil, at: start + .seconds(600)) == nil)
    }

    @Test("after the end it lasts as long as a good answer comes every minute")
    func afterTheEnd() {
        var patience = Patience(until: start + .seconds(10), at: start)
        patience.answered(at: start + .seconds(100))
        #expect(patience.pause(retryAfter: nil, at: start + .seconds(159)) != nil)
        #expect(patience.pause(retryAfter: nil, at: start + .seconds(160)) == nil)
    }

    @Test("a good answer begins a new row")
    func newRow() {
        var patience = Patience(until: start + .seconds(600), at: start)
        #expect(!patience.isFirstSetback)
        _ = patience.pause(retryAfter: nil, at: start)
        #expect(patience.isFirstSetback)
        _ = patience.pause(retryAfter: nil, at: start)
        #expect(!patience.isFirstSetback)
        patience.answered(at: start)
        #expect(patience.pause(retryAfter: nil, at: start) == .milliseconds(500))
        #expect(patience.isFirstSetback)
    }
}
