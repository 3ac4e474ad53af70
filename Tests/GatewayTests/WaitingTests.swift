import SwitchyardReactor
import Synchronization
import TestSupport
import Testing

@testable import SwitchyardGateway

@Suite("Waiting apps and work behind requests", .timeLimit(.minutes(1))) struct WaitingTests {
    private let caller = CallerKey.user(1000)

    @Test("a caller gets as many slots as it may have, and not one more", arguments: [1, 2, 500])
    func maximum(count: Int) {
        let counter = WaitingCounter(maximum: count)
        let slots = (0..<count).map { _ in counter.slot(for: caller) }
        #expect(!slots.contains { $0 == nil })
        #expect(counter.slot(for: caller) == nil)
        #expect(counter.slot(for: .user(1001)) != nil, "another caller has slots of its own")
    }

    @Test("a slot is free again once its last holder is gone, and not before")
    func release() {
        let counter = WaitingCounter(maximum: 1)
        var slot = counter.slot(for: caller)
        var again = slot
        #expect(slot != nil)
        slot = nil
        #expect(counter.slot(for: caller) == nil, "it is still held")
        withExtendedLifetime(again) {}
        again = nil
        #expect(counter.slot(for: caller) != nil)
    }

    @Test("one slot given back is one slot free, however many were taken")
    func one() {
        let counter = WaitingCounter(maximum: 3)
        var slots = (0..<3).map { _ in counter.slot(for: caller) }
        slots.removeLast()
        slots.append(counter.slot(for: caller))
        #expect(!slots.contains { $0 == nil })
        #expect(counter.slot(for: caller) == nil)
        withExtendedLifetime(slots) {}
    }

    @Test("a slot that was refused takes none away")
    func refused() {
        let counter = WaitingCounter(maximum: 1)
        var slot = counter.slot(for: caller)
        for _ in 0..<5 { #expect(counter.slot(for: caller) == nil) }
        withExtendedLifetime(slot) {}
        slot = nil
        #expect(counter.slot(for: caller) != nil)
    }

    // MARK: Work

    @Test("without work under way a wait ends at once, also after finished work")
    func idle() async throws {
        let loop = try TestLoop()
        let work = ActiveWork()
        await loop.run { await work.waitUntilIdle(.never) }
        work.begin()
        work.end()
        await loop.run { await work.waitUntilIdle(.never) }
    }

    @Test("work counts until it returns or throws, and its slot stays taken meanwhile")
    func during() async throws {
        struct Failed: Error {}
        let loop = try TestLoop()
        let (work, counter) = (ActiveWork(), WaitingCounter(maximum: 1))
        let caller = caller
        await loop.run {
            let slot = counter.slot(for: caller)
            let isBusy = await work.during(holding: slot) { work.count == 1 && counter.slot(for: caller) == nil }
            #expect(isBusy)
            #expect(work.count == 0)
            do throws(Failed) {
                try await work.during { () async throws(Failed) in throw Failed() }
                Issue.record("the error is lost")
            } catch {
                #expect(work.count == 0)
            }
        }
        #expect(counter.slot(for: caller) != nil)
    }

    @Test("a task counts from the moment it is started")
    func start() async throws {
        let loop = try TestLoop()
        let work = ActiveWork()
        let goesOn = Signal()
        let ended = Atomic(false)
        let counts = await loop.run {
            work.start(on: loop.loop) {
                _ = await goesOn.wait(until: .never)
                ended.store(true, ordering: .relaxed)
            }
            let before = work.count
            goesOn.raise()
            await work.waitUntilIdle(.never)
            return [before, work.count]
        }
        #expect(counts == [1, 0])
        #expect(ended.load(ordering: .relaxed) == true)
    }

    @Test("a wait ends with the last piece of work, for everybody who waits")
    func last() async throws {
        let loop = try TestLoop()
        let work = ActiveWork()
        let ended = Atomic(0)
        for _ in 0..<2 { work.begin() }
        let stillWaiting = await loop.run {
            let waiters = (0..<3).map { _ in
                loop.loop.start { @Sendable in
                    await work.waitUntilIdle(.never)
                    ended.add(1, ordering: .relaxed)
                }
            }
            for _ in 0..<10 { await Task.yield() }
            work.end()
            for _ in 0..<10 { await Task.yield() }
            let stillWaiting = ended.load(ordering: .relaxed) == 0
            work.end()
            for waiter in waiters { await waiter.value }
            return stillWaiting
        }
        #expect(stillWaiting)
        #expect(ended.load(ordering: .relaxed) == 3)
    }

    @Test("a wait ends at its deadline while work goes on")
    func deadline() async throws {
        let loop = try TestLoop()
        let work = ActiveWork()
        work.begin()
        let deadline = Instant.now() + .milliseconds(5)
        await loop.run { await work.waitUntilIdle(deadline) }
        #expect(Instant.now() >= deadline)
        await loop.run { await work.waitUntilIdle(Instant(nanoseconds: 0)) }
        work.end()
        await loop.run { await work.waitUntilIdle(.never) }
    }
}
