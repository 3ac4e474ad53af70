internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import Synchronization

/// The reply of the store's thread to one caller, which waits for it. Safe from any thread.
final class StoreReply<Value: Sendable>: Sendable {
    private struct State {
        var result: Result<Value, StoreError>?
        var isGivenUp = false
    }

    private let state = Mutex(State())
    private let signal = Signal()
    private let take: @Sendable (Value) -> Void

    /// - Parameter take: gets the value of a step that ends after the caller has given up; on any thread.
    init(ifLate take: @escaping @Sendable (Value) -> Void = { _ in }) {
        self.take = take
    }

    /// Whether the caller still waits. Once it has given up, a step that has not begun is not taken.
    var isWanted: Bool { state.withLock { !$0.isGivenUp } }

    func finish(_ result: Result<Value, StoreError>) {
        let isLate = state.withLock { state in
            state.result = result
            return state.isGivenUp
        }
        if isLate, case .success(let value) = result { return take(value) }
        signal.raise()
    }

    func wait(atMost patience: Duration) async throws(StoreError) -> Value {
        _ = await signal.wait(until: .now() + patience)
        let result = state.withLock { state in
            state.isGivenUp = true
            return state.result
        }
        guard let result else { throw StoreError("the disk did not answer in time") }
        return try result.get()
    }
}
