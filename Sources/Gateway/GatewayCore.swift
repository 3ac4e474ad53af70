internal import SwitchyardJSON
internal import SwitchyardPendingRequests
internal import Synchronization

/// What all endpoints share: the requests, the events, and whether the gateway is stopping. Safe from any thread.
final class GatewayCore: Sendable {
    let registry: RequestRegistry
    let events: GatewayEvents
    let work = ActiveWork()
    let parked = ParkedCallbacks()
    let usedProofs = UsedProofs()
    private let stopping = Atomic(false)

    init(registry: RequestRegistry, events: GatewayEvents) {
        self.registry = registry
        self.events = events
    }

    /// Runs one call to the store; a store that fails is told to the operator, once for each call.
    func attempt<Value>(_ body: () async throws(StoreFailure) -> Value) async -> Value? {
        do {
            return try await body()
        } catch {
            events.tell(.storeFailed(reason: error.description))
            return nil
        }
    }

    var isStopping: Bool { stopping.load(ordering: .relaxed) }

    /// From now on, who waits is told to come again.
    func beginStopping() {
        stopping.store(true, ordering: .relaxed)
        registry.changes.notifyAll()
    }
}
