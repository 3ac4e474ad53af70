import SwitchyardReactor
import TestSupport
import Testing

@Suite("Signal") struct SignalTests {
    private static let far = Duration.seconds(60)

    @Test("a raise before the wait is not lost, and serves one wait only")
    func raisedBefore() async throws {
        let test = try TestLoop()
        let outcomes = await test.run {
            let signal = Signal()
            signal.raise()
            signal.raise()
            let first = await signal.wait(until: Instant.now() + Self.far)
            let second = await signal.wait(until: Instant.now() + .milliseconds(5))
            return [first, second]
        }
        #expect(outcomes == [true, false])
    }

    @Test("a wait without a raise ends at its deadline", arguments: [-1000, 0, 5])
    func timeout(milliseconds: Int) async throws {
        let outcome = await (try TestLoop()).run {
            await Signal().wait(until: Instant.now() + .milliseconds(milliseconds))
        }
        #expect(outcome == false)
    }

    @Test("a raise after a wait that timed out serves the next wait")
    func raisedAfterTimeout() async throws {
        let test = try TestLoop()
        let outcomes = await test.run {
            let signal = Signal()
            let first = await signal.wait(until: Instant.now())
            signal.raise()
            return [first, await signal.wait(until: Instant.now() + Self.far)]
        }
        #expect(outcomes == [false, true])
    }

    @Test("a raise from another thread wakes the task that waits, on its own loop")
    func raisedElsewhere() async throws {
        let test = try TestLoop()
        let other = try TestLoop()
        let signal = Signal()
        let outcome = await test.run {
            // The loop gets to this only once the task below waits.
            test.loop.execute { other.loop.execute { signal.raise() } }
            let isRaised = await signal.wait()
            return isRaised && EventLoop.current === test.loop
        }
        #expect(outcome)
    }

    @Test("raises from many threads at once wake every round of waiting, and resume no task twice")
    func concurrentRaises() async throws {
        let test = try TestLoop()
        let raisers = try (0..<4).map { _ in try TestLoop() }
        let woken = await test.run {
            var woken = 0
            for _ in 0..<200 {
                let signal = Signal()
                for raiser in raisers { raiser.loop.execute { signal.raise() } }
                if await signal.wait(until: Instant.now() + Self.far) { woken += 1 }
            }
            return woken
        }
        #expect(woken == 200)
    }
}
