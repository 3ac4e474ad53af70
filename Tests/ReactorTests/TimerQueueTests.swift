import Testing

@testable import SwitchyardReactor

@Suite("Timer queue") struct TimerQueueTests {
    /// The timers that fired, in order.
    private final class Journal {
        var entries: [Int] = []
    }

    private func fire(_ queue: inout TimerQueue, until now: Instant) {
        while let timer = queue.popDue(now) { timer.fire() }
    }

    private func at(_ nanoseconds: Int) -> Instant { Instant(nanoseconds: UInt64(nanoseconds)) }

    @Test("timers fire in the order of their instants, whatever the order they were set in")
    func order() {
        var queue = TimerQueue()
        let journal = Journal()
        for number in [5, 1, 4, 2, 3] { _ = queue.add(at: at(number)) { journal.entries.append(number) } }
        fire(&queue, until: at(10))
        #expect(journal.entries == [1, 2, 3, 4, 5])
    }

    @Test("only what is due fires, and the next instant is told")
    func due() {
        var queue = TimerQueue()
        let journal = Journal()
        for number in [30, 10, 20] { _ = queue.add(at: at(number)) { journal.entries.append(number) } }
        #expect(queue.next == at(10))
        fire(&queue, until: at(20))
        #expect(journal.entries == [10, 20])
        #expect(queue.next == at(30))
        fire(&queue, until: at(30))
        #expect(queue.next == .never)
    }

    @Test("a timer fires once")
    func once() {
        var queue = TimerQueue()
        let journal = Journal()
        _ = queue.add(at: at(1)) { journal.entries.append(1) }
        fire(&queue, until: at(1))
        fire(&queue, until: at(2))
        #expect(journal.entries == [1])
    }

    @Test("a canceled timer does not fire, and canceling it later does nothing")
    func cancel() {
        var queue = TimerQueue()
        let journal = Journal()
        let first = queue.add(at: at(1)) { journal.entries.append(1) }
        let second = queue.add(at: at(2)) { journal.entries.append(2) }
        first.cancel()
        fire(&queue, until: at(3))
        second.cancel()
        #expect(journal.entries == [2])
    }

    @Test("throwing out canceled timers loses none of the others")
    func compaction() {
        var queue = TimerQueue()
        let journal = Journal()
        var kept: [Int] = []
        for number in 0..<1000 {
            // A fixed mixture of early and late.
            let instant = number * 7919 % 1000
            let timer = queue.add(at: at(instant)) { journal.entries.append(instant) }
            if number % 3 == 0 { kept.append(instant) } else { timer.cancel() }
        }
        fire(&queue, until: at(1000))
        #expect(journal.entries == kept.sorted())
        #expect(queue.next == .never)
    }
}
