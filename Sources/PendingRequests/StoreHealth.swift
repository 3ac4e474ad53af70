internal import SwitchyardReactor
internal import Synchronization

/// Whether the store works, and when to report that it does not. Safe from any thread.
final class StoreHealth: Sendable {
    private struct State {
        var failure: StoreError?
        var untold = 0
        var nextTelling = Instant(nanoseconds: 0)
    }

    /// A flood of requests against a store that is out must not fill the log.
    private static let interval = Duration.seconds(10)

    private let state = Mutex(State())
    /// The failures of this process's life; read without the lock, since it hardly ever changes.
    private let count = Atomic(0)

    var failures: Int { count.load(ordering: .acquiring) }

    /// The last failure; nil while the store works.
    var failure: StoreError? {
        failures == 0 ? nil : state.withLock(\.failure)
    }

    /// - Returns: the number of failures to report now; nil if it is too early for another report.
    func failed(_ failure: StoreError, at now: Instant) -> Int? {
        state.withLock { state in
            count.add(1, ordering: .releasing)
            state.failure = failure
            state.untold += 1
            guard now >= state.nextTelling else { return nil }
            state.nextTelling = now + Self.interval
            defer { state.untold = 0 }
            return state.untold
        }
    }

    /// Notes that the store has taken a change.
    /// - Parameter earlier: the number of ``failures`` before it. If there are more by now, the store is still out.
    /// - Returns: whether the store was out, and now works.
    func succeeded(since earlier: Int) -> Bool {
        guard failures > 0 else { return false }
        return state.withLock { state in
            guard state.failure != nil, failures == earlier else { return false }
            state.failure = nil
            return true
        }
    }
}
