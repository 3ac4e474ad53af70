import SwitchyardReactor
import Testing

@Suite("Instant") struct InstantTests {
    @Test(
        "adding a duration never wraps around: it ends at never, and at zero below",
        arguments: [
            (0, .zero, 0), (5, .nanoseconds(3), 8), (5, .nanoseconds(-3), 2), (5, .nanoseconds(-5), 0),
            (5, .nanoseconds(-6), 0), (0, .seconds(Int64.min), 0), (0, .seconds(-1), 0),
            (1, .seconds(Int64.max), UInt64.max), (UInt64.max, .nanoseconds(1), UInt64.max),
            (UInt64.max - 1, .nanoseconds(1), UInt64.max), (UInt64.max - 1, .seconds(1), UInt64.max),
            (0, .seconds(9_223_372_036), 9_223_372_036_000_000_000), (7, .milliseconds(2), 2_000_007),
        ] as [(UInt64, Duration, UInt64)])
    func saturation(start: UInt64, duration: Duration, end: UInt64) {
        #expect(Instant(nanoseconds: start) + duration == Instant(nanoseconds: end))
    }

    @Test("adding to never stays never")
    func never() {
        #expect(Instant.never + .seconds(1) == .never)
    }

    @Test(
        "a difference has the sign of the order, and is cut at what a duration of nanoseconds holds",
        arguments: [
            (8, 5, .nanoseconds(3)), (5, 8, .nanoseconds(-3)), (5, 5, .zero),
            (UInt64.max, 0, .nanoseconds(Int64.max)), (0, UInt64.max, .nanoseconds(-Int64.max)),
        ] as [(UInt64, UInt64, Duration)])
    func difference(later: UInt64, earlier: UInt64, expected: Duration) {
        #expect(Instant(nanoseconds: later) - Instant(nanoseconds: earlier) == expected)
    }

    @Test("instants are ordered, and never is the last")
    func order() {
        #expect(Instant(nanoseconds: 1) < Instant(nanoseconds: 2))
        #expect(Instant.now() < .never)
    }

    @Test("the clock never goes back")
    func monotonic() {
        let readings = (0..<1000).map { _ in Instant.now() }
        #expect(readings == readings.sorted())
    }
}
