internal import SwitchyardCrypto
internal import Synchronization

/// The clients that were configured, by client ID, and what tests have said of others. Every client ID that was not
/// configured is a public client. Safe from any thread.
final class ClientRegistry: Sendable {
    private let clients: [String: DemoClient]
    private let traits = Mutex<[String: ClientTraits]>([:])
    private static let capacity = 10_000

    /// - Throws: ``DemoIssuerError/repeatedClient(id:)``.
    init(_ clients: [DemoClient]) throws(DemoIssuerError) {
        var byID: [String: DemoClient] = [:]
        for client in clients {
            guard byID.updateValue(client, forKey: client.id) == nil else { throw .repeatedClient(id: client.id) }
        }
        self.clients = byID
    }

    func name(of clientID: String) -> String { clients[clientID]?.name ?? clientID }

    /// nil for a public client.
    func secret(of clientID: String) -> Secret? { clients[clientID]?.secret }

    func traits(of clientID: String) -> ClientTraits { traits.withLock { $0[clientID] } ?? ClientTraits() }

    /// Whether a refresh token of one client is good for the other: both are of one family.
    func areFamily(_ one: String, _ other: String) -> Bool {
        guard let family = traits(of: one).family else { return false }
        return family == traits(of: other).family
    }

    /// Changes what is set and leaves the rest; beyond ten thousand clients, nothing is remembered.
    func change(_ clientID: String, _ change: (inout ClientTraits) -> Void) {
        traits.withLock { traits in
            guard traits[clientID] != nil || traits.count < Self.capacity else { return }
            change(&traits[clientID, default: ClientTraits()])
        }
    }
}
