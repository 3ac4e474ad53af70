public import SwitchyardReactor

extension RequestRegistry {
    /// How long a store that is out is left alone between two tries.
    private static let pause = Duration.milliseconds(300)

    /// Takes a step at the store, and retries while the store is out. Only from a task of an event loop.
    /// - Returns: the store's answer; nil if it did not answer before `deadline`.
    public func insist<Value: Sendable>(
        until deadline: Instant, _ step: () async throws(StoreError) -> Value
    ) async -> Value? {
        while true {
            do throws(StoreError) {
                return try await step()
            } catch {
                guard Instant.now() < deadline else { return nil }
                await EventLoop.sleep(until: min(deadline, .now() + Self.pause))
            }
        }
    }
}
