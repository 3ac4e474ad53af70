internal import Synchronization

/// Counts the apps that wait for a result, by caller. Safe from any thread.
final class WaitingCounter: Sendable {
    private let counts = Mutex<[CallerKey: Int]>([:])
    private let maximum: Int

    init(maximum: Int) {
        self.maximum = maximum
    }

    /// A place for one more who waits; nil when the caller has as many as it may. It is free again when the last
    /// reference to it goes, whatever way the wait ends.
    func place(for caller: CallerKey) -> Place? {
        let isFree = counts.withLock { counts in
            guard counts[caller, default: 0] < maximum else { return false }
            counts[caller, default: 0] += 1
            return true
        }
        return isFree ? Place(self, caller) : nil
    }

    private func leave(_ caller: CallerKey) {
        counts.withLock { counts in
            guard let count = counts[caller] else { return }
            counts[caller] = count > 1 ? count - 1 : nil
        }
    }

    final class Place: Sendable {
        private let counter: WaitingCounter
        private let caller: CallerKey

        fileprivate init(_ counter: WaitingCounter, _ caller: CallerKey) {
            self.counter = counter
            self.caller = caller
        }

        deinit { counter.leave(caller) }
    }
}
