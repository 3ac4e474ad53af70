import SwitchyardReactor
import SwitchyardRouting
import Testing

@testable import SwitchyardGateway

@Suite("Rate limiter") struct RateLimiterTests {
    private let start = Instant(nanoseconds: 1_000_000_000_000)
    private let caller = CallerKey.user(1000)

    /// How many events of `caller` pass at one time.
    private func burst(_ limiter: RateLimiter, _ caller: CallerKey, at now: Instant) -> Int {
        var events = 0
        while events < 1000, limiter.take(caller, at: now) == nil { events += 1 }
        return events
    }

    @Test(
        "a burst of two seconds' worth passes, at least one event, and not one more",
        arguments: [(1, 2), (5, 10), (2.5, 5), (1.2, 2), (200, 400), (0.5, 1), (0.1, 1), (0.001, 1)])
    func capacity(rate: Double, events: Int) {
        #expect(burst(RateLimiter(rate: rate), caller, at: start) == events)
    }

    @Test("a used-up bucket gives one event for each part of a second", arguments: [1, 2, 4, 5, 10, 200])
    func refill(rate: Int) {
        let limiter = RateLimiter(rate: Double(rate))
        _ = burst(limiter, caller, at: start)
        let interval = Duration.nanoseconds(1_000_000_000 / rate)
        #expect(limiter.take(caller, at: start + interval + .nanoseconds(-1)) != nil)
        #expect(limiter.take(caller, at: start + interval) == nil)
        #expect(limiter.take(caller, at: start + interval) != nil)
        #expect(burst(limiter, caller, at: start + interval + .seconds(1)) == rate)
    }

    @Test("a long pause fills the bucket, and no more than that")
    func pause() {
        let limiter = RateLimiter(rate: 5)
        _ = burst(limiter, caller, at: start)
        #expect(burst(limiter, caller, at: start + .seconds(86_400)) == 10)
    }

    @Test(
        "a refusal says in whole seconds when an event is due",
        arguments: [
            (0.1, 0, 10), (0.1, 4000, 6), (0.1, 4001, 6), (0.1, 9500, 1), (0.3, 0, 4), (0.5, 0, 2), (0.5, 1, 2),
            (1, 0, 1), (10, 0, 1), (500, 0, 1),
        ])
    func retryAfter(rate: Double, milliseconds: Int, seconds: Int) {
        let limiter = RateLimiter(rate: rate)
        _ = burst(limiter, caller, at: start)
        #expect(limiter.take(caller, at: start + .milliseconds(milliseconds)) == seconds)
    }

    @Test("a caller that waits as it was told gets through", arguments: [0.01, 0.07, 0.1, 0.3, 0.7, 1, 3, 7, 13, 200])
    func obedience(rate: Double) throws {
        let limiter = RateLimiter(rate: rate)
        _ = burst(limiter, caller, at: start)
        let seconds = try #require(limiter.take(caller, at: start))
        #expect(limiter.take(caller, at: start + .seconds(seconds)) == nil)
    }

    @Test("a caller that does not stop asking still gets its share, and no more")
    func impatience() {
        let limiter = RateLimiter(rate: 4)
        _ = burst(limiter, caller, at: start)
        // Eighths of a second are whole numbers of the clock and of the bucket alike.
        let passed = (1...80).filter { limiter.take(caller, at: start + .milliseconds($0 * 125)) == nil }
        #expect(passed.count == 40)
    }

    @Test("callers do not use up each other's events")
    func callers() throws {
        let limiter = RateLimiter(rate: 1)
        let others: [CallerKey] = [
            .user(1001), .user(1016), .address(try #require(IPAddress("192.0.2.1"))),
            .address(try #require(IPAddress("2001:db8::"))), .address(try #require(IPAddress("2001:db8:0:1::"))),
        ]
        _ = burst(limiter, caller, at: start)
        for other in others { #expect(burst(limiter, other, at: start) == 2) }
    }

    @Test("thousands of others neither free a caller from its limit nor are held back")
    func flood() {
        let limiter = RateLimiter(rate: 0.5)
        _ = burst(limiter, caller, at: start)
        // All in the part of the table that the caller is in.
        let passed = (1...4200 as ClosedRange<UInt32>).filter { limiter.take(.user(1000 + $0 * 16), at: start) == nil }
        #expect(passed.count == 4200)
        #expect(limiter.take(caller, at: start) != nil)
        #expect(limiter.take(.user(1016), at: start) != nil)
        // Now their buckets are full, which is when they may be thrown out.
        let later = start + .seconds(10)
        #expect(limiter.take(.user(900_008), at: later) == nil)
        #expect(burst(limiter, caller, at: later) == 1)
        #expect(burst(limiter, .user(1032), at: later) == 1)
    }

    @Test("in a flood from more addresses than can be told apart, a network has one share and others have theirs")
    func hugeFlood() throws {
        let limiter = RateLimiter(rate: 1)
        func address(_ text: String) throws -> CallerKey { .address(try #require(IPAddress(text))) }
        let known = try address("192.0.2.1")
        #expect(burst(limiter, known, at: start) == 2)
        var passed = 0
        // A /8 sends one event from each of 256 addresses in each of 512 networks.
        for network in 0..<512 {
            for last in 0..<256 {
                let bits = UInt8(truncatingIfNeeded: last)
                let key = CallerKey.address(
                    try #require(IPAddress(bytes: [10, UInt8(network >> 8), UInt8(network & 255), bits])))
                if limiter.take(key, at: start) == nil { passed += 1 }
            }
        }
        // As many as can be told apart, and two of each network behind them.
        #expect(passed <= 16 * 4096 + 512 * 2)
        #expect(limiter.take(known, at: start) != nil)
        for newcomer in try [address("198.51.100.7"), address("2001:db8::")] {
            #expect(burst(limiter, newcomer, at: start) == 2)
        }
    }

    /// Every loop has its own cached time, and the limiter is shared among them.
    @Test("time that has counted once does not count again when an event of a slower clock comes between")
    func clocks() {
        let limiter = RateLimiter(rate: 1)
        _ = burst(limiter, caller, at: start)
        #expect(limiter.take(caller, at: start + .seconds(-1)) != nil)
        #expect(limiter.take(caller, at: start) != nil)
    }
}
