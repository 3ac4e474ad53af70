internal import Crypto

/// The clients that were configured, by client ID. Every other client ID is a public client.
struct ClientRegistry: Sendable {
    private let clients: [String: DemoClient]

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
}
