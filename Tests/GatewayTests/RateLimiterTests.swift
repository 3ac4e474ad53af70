import Reactor
import Routing
import Testing

@testable import Gateway

@Suite("Rate limiter") struct RateLimiterTests {
    private func at(_ milliseconds: UInt64) -> Instant { Instant(nanoseconds: 1_000_000_000_000 + milliseconds * 1_000_000) }

    @Test("a burst of two seconds' worth passes, and not one more", arguments: [(0.1, 1), (1, 2), (2, 4), (50, 100)])
    func burst(rate: Double, count: Int) {
        let limiter = RateLimiter(rate: rate)
        for _ in 0..<count { #expect(limiter.take(.user(1), at: at(0)) == nil) }
        #expect(limiter.take(.user(1), at: at(0)) != nil)
    }

    @Test("a steady stream at the rate passes, and what comes faster does not")
    func steady() {
        let limiter = RateLimiter(rate: 10)
        for _ in 0..<20 { _ = limiter.take(.user(1), at: at(0)) }
        for step in 1...100 as ClosedRange<UInt64> {
            #expect(limiter.take(.user(1), at: at(step * 125)) == nil)
        }
        let passed = (1...100 as ClosedRange<UInt64>).count { limiter.take(.user(1), at: at(20_000 + $0 * 10)) == nil }
        #expect((29...31).contains(passed), "20 saved up and 10 a second")
    }

    @Test(
        "a refusal says after how many whole seconds it is worth trying again",
        arguments: [(0.1, 0, 10), (0.1, 5000, 5), (0.1, 9500, 1), (2, 0, 1)] as [(Double, UInt64, Int)])
    func retryAfter(rate: Double, milliseconds: UInt64, seconds: Int) {
        let limiter = RateLimiter(rate: rate)
        while limiter.take(.user(1), at: at(0)) == nil {}
        #expect(limiter.take(.user(1), at: at(milliseconds)) == seconds)
        #expect(limiter.take(.user(1), at: at(milliseconds + UInt64(seconds) * 1000)) == nil)
    }

    @Test("callers do not share, but one customer's addresses do")
    func callers() throws {
        let limiter = RateLimiter(rate: 0.5)
        func take(_ text: String) throws -> Bool {
            limiter.take(.address(try #require(IPAddress(text)).limitKey), at: at(0)) == nil
        }
        #expect(try take("192.0.2.1"))
        #expect(try !take("192.0.2.1"))
        #expect(try take("192.0.2.2"))
        #expect(try !take("::ffff:192.0.2.2"))
        #expect(try take("2001:db8:0:1::1"))
        #expect(try !take("2001:db8:0:1:ffff::2"))
        #expect(try take("2001:db8:0:2::1"))
        #expect(limiter.take(.user(0), at: at(0)) == nil)
    }

    @Test("a clock that seems to go back gives nothing away")
    func backwards() {
        let limiter = RateLimiter(rate: 0.5)
        #expect(limiter.take(.user(1), at: at(5000)) == nil)
        #expect(limiter.take(.user(1), at: at(0)) != nil)
        #expect(limiter.take(.user(1), at: at(5001)) != nil)
    }

    @Test("a flood from many addresses does not make the limiter forget who had too much")
    func flood() {
        let limiter = RateLimiter(rate: 0.001)
        #expect(limiter.take(.user(0), at: at(0)) == nil)
        for uid in 1..<80_000 as Range<UInt32> { #expect(limiter.take(.user(uid), at: at(0)) == nil) }
        #expect(limiter.take(.user(0), at: at(1)) != nil)
    }
}

@Suite("Waiting counter") struct WaitingCounterTests {
    @Test("a caller waits as often as it may, and a wait that ends makes room")
    func places() {
        let counter = WaitingCounter(maximum: 2)
        var places = [counter.place(for: .user(1)), counter.place(for: .user(1))]
        #expect(places.allSatisfy { $0 != nil })
        #expect(counter.place(for: .user(1)) == nil)
        #expect(counter.place(for: .user(2)) != nil)
        places.removeLast()
        #expect(counter.place(for: .user(1)) != nil, "and this one is let go at once")
        #expect(counter.place(for: .user(1)) != nil)
        withExtendedLifetime(places) {}
    }
}
