internal import Synchronization

/// Counts the apps that wait for a result, by caller. Safe from any thread.
final class WaitingCounter: Sendable {
    private struct State {
        var counts: [CallerKey: Int] = [:]
        var total = 0
        var maximum: Int
    }

    private let state: Mutex<State>

    /// - Parameter maximum: of one caller.
    init(maximum: Int) {
        state = Mutex(State(maximum: maximum))
    }

    /// Sets the maximum for new callers.
    func adopt(maximum: Int) { state.withLock { $0.maximum = maximum } }

    var total: Int { state.withLock(\.total) }

    /// A slot for one more waiting app; nil if the caller has its maximum. The slot is free again when its last
    /// reference goes.
    func slot(for caller: CallerKey) -> Slot? {
        let isFree = state.withLock { state in
            guard state.counts[caller, default: 0] < state.maximum else { return false }
            state.counts[caller, default: 0] += 1
            state.total += 1
            return true
        }
        return isFree ? Slot(self, caller) : nil
    }

    private func leave(_ caller: CallerKey) {
        state.withLock { state in
            guard let count = state.counts[caller] else { return }
            state.counts[caller] = count > 1 ? count - 1 : nil
            state.total -= 1
        }
    }

    final class Slot: Sendable {
        private let counter: WaitingCounter
        private let caller: CallerKey

        fileprivate init(_ counter: WaitingCounter, _ caller: CallerKey) {
            self.counter = counter
            self.caller = caller
        }

        deinit { counter.leave(caller) }
    }
}
