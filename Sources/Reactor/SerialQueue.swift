internal import Synchronization

/// Runs tasks one after the other, in the order in which they came, even if a task waits in the middle. Safe from any
/// thread.
public final class SerialQueue: Sendable {
    private struct State {
        var isBusy = false
        var waiting: [Promise<Void>] = []
    }

    private let state = Mutex(State())

    public init() {}

    /// Runs `body` once all earlier tasks have ended. Never within `body` of the same queue.
    public func run<Value, Failure: Error>(
        _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let start: Promise<Void>? = state.withLock { state in
            guard state.isBusy else {
                state.isBusy = true
                return nil
            }
            let start = Promise<Void>()
            state.waiting.append(start)
            return start
        }
        await start?.value
        defer { startNext() }
        return try await body()
    }

    /// Starts the next task, without a gap.
    private func startNext() {
        let next: Promise<Void>? = state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isBusy = false
                return nil
            }
            return state.waiting.removeFirst()
        }
        next?.fulfil(())
    }
}
