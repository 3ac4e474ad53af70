import SwitchyardReactor
import Synchronization
import TestSupport
import Testing

@Suite("Event loop") struct EventLoopTests {
    @Test("a task runs on its loop from the first line to the last")
    func ownThread() async throws {
        let first = try TestLoop()
        let second = try TestLoop()
        let places = await first.run {
            let before = EventLoop.current === first.loop
            await Task.yield()
            let between = await second.run { EventLoop.current === second.loop }
            return [before, between, EventLoop.current === first.loop]
        }
        #expect(places == [true, true, true])
    }

    @Test("`perform` gives its caller the error, and passes cancelation on")
    func perform() async throws {
        struct Refusal: Error {}
        let test = try TestLoop()
        await #expect(throws: Refusal.self) {
            try await test.loop.perform { () async throws(Refusal) -> Int in throw Refusal() }
        }
        let began = Signal()
        let waiting = Task {
            await test.loop.perform {
                began.raise()
                while !Task.isCancelled { await Task.yield() }
                return true
            }
        }
        _ = await test.run { await began.wait() }
        waiting.cancel()
        #expect(await waiting.value)
    }

    @Test("a thread that is no loop's has no loop")
    func noLoop() {
        #expect(EventLoop.current == nil)
    }

    @Test("posted work runs on the loop's thread, in order")
    func post() async throws {
        let test = try TestLoop()
        let journal = Mutex<[Int]>([])
        await withCheckedContinuation { continuation in
            for number in 0..<100 {
                test.loop.execute { journal.withLock { $0.append(EventLoop.current === test.loop ? number : -1) } }
            }
            test.loop.execute { continuation.resume() }
        }
        #expect(journal.withLock { $0 } == Array(0..<100))
    }

    @Test("work that several threads post at once all runs")
    func postFromMany() async throws {
        let test = try TestLoop()
        let count = Mutex(0)
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { @Sendable in
                    for _ in 0..<250 {
                        await withCheckedContinuation { continuation in
                            test.loop.execute {
                                count.withLock { $0 += 1 }
                                continuation.resume()
                            }
                        }
                    }
                }
            }
        }
        #expect(count.withLock { $0 } == 2000)
    }

    @Test("timers fire on the loop's thread in the order of their instants; a canceled one does not")
    func timers() async throws {
        let test = try TestLoop()
        let journal = Mutex<[String]>([])
        await withCheckedContinuation { continuation in
            test.loop.execute {
                let now = Instant.now()
                _ = test.loop.schedule(at: now + .milliseconds(30)) { continuation.resume() }
                _ = test.loop.schedule(at: now + .milliseconds(20)) { journal.withLock { $0.append("late") } }
                let canceled = test.loop.schedule(at: now + .milliseconds(15)) {
                    journal.withLock { $0.append("canceled") }
                }
                _ = test.loop.schedule(at: now + .milliseconds(10)) {
                    journal.withLock { $0.append(EventLoop.current === test.loop ? "early" : "elsewhere") }
                    canceled.cancel()
                }
            }
        }
        #expect(journal.withLock { $0 } == ["early", "late"])
    }

    @Test("sleeping tasks wake in the order of their instants, also when the instant has passed")
    func sleep() async throws {
        let test = try TestLoop()
        let journal = Mutex<[Int]>([])
        await test.run {
            let start = Instant.now()
            // All of them fall asleep before the loop looks at its timers.
            let sleepers = [20, 10, -10].map { milliseconds in
                test.loop.start { @Sendable in
                    await EventLoop.sleep(until: start + .milliseconds(milliseconds))
                    journal.withLock { $0.append(milliseconds) }
                }
            }
            for sleeper in sleepers { await sleeper.value }
        }
        #expect(journal.withLock { $0 } == [-10, 10, 20])
    }

    @Test("a loop that is told to stop does what was posted before, and comes back")
    func stop() throws {
        let loop = try EventLoop()
        let hasRun = Mutex(false)
        loop.execute { hasRun.withLock { $0 = true } }
        loop.stop()
        loop.run()
        #expect(hasRun.withLock { $0 })
        #expect(EventLoop.current == nil)
    }

    @Test(
        "a group has the loops that it was asked for, numbered, and at least one", arguments: [(0, 1), (1, 1), (3, 3)])
    func group(asked: Int, made: Int) throws {
        #expect(try EventLoopGroup(count: asked).loops.map(\.index) == Array(0..<made))
    }
}
