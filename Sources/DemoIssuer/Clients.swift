internal import SwitchyardCrypto
package import SwitchyardOAuth
internal import Synchronization

/// The configured clients by client ID, and the settings that others got since. Every client ID that was not configured
/// is a public client. Safe from any thread.
package final class ClientRegistry: Sendable {
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

    package func traits(of clientID: String) -> ClientTraits { traits.withLock { $0[clientID] } ?? ClientTraits() }

    /// Whether a refresh token of one client is good for the other: both are of one family.
    func areFamily(_ one: String, _ other: String) -> Bool {
        guard let family = traits(of: one).family else { return false }
        return family == traits(of: other).family
    }

    /// Changes a client's traits. Beyond ten thousand clients, changes are dropped.
    package func change(_ clientID: String, _ change: (inout ClientTraits) -> Void) {
        traits.withLock { traits in
            guard traits[clientID] != nil || traits.count < Self.capacity else { return }
            change(&traits[clientID, default: ClientTraits()])
        }
    }
}

/// The traits of a client beside its name and its secret. They may change while the issuer runs.
package struct ClientTraits: Sendable {
    /// The scopes that the client gets without consent.
    package enum Preconsent: Sendable {
        case only(Scopes)
        case everything

        /// Reads `*`, or a list of scopes; nil for another text.
        package init?(_ text: String) {
            if text == "*" {
                self = .everything
            } else if let scopes = Scopes(validating: text) {
                self = .only(scopes)
            } else {
                return nil
            }
        }

        func contains(_ scope: String) -> Bool {
            switch self {
            case .only(let scopes): scopes.contains(scope)
            case .everything: true
            }
        }
    }

    /// The family that shares refresh tokens, told as `foci`; Microsoft's own apps are family `1`.
    package var family: String?
    package var preconsent = Preconsent.only(Scopes(parsing: ""))
}
