internal import SwitchyardOAuth
internal import Synchronization

/// What each person has allowed each client, over all their sign-ins. Safe from any thread.
final class ConsentStore: Sendable {
    private struct Key: Hashable {
        let clientID: String
        let subject: String
    }

    private let scopes = Mutex<[Key: Scopes]>([:])
    private static let capacity = 100_000

    /// Beyond the capacity nothing new is remembered: a refresh can then ask for what its own sign-in allowed.
    func add(_ more: Scopes, by user: DemoUser, to clientID: String) {
        let key = Key(clientID: clientID, subject: user.subject)
        scopes.withLock { scopes in
            guard let known = scopes[key] else {
                if scopes.count < Self.capacity { scopes[key] = more }
                return
            }
            // Nearly always nothing is new, and then nothing is built.
            if !more.names.allSatisfy(known.contains) { scopes[key] = Scopes(parsing: "\(known.text) \(more.text)") }
        }
    }

    func scopes(of user: DemoUser, for clientID: String) -> Scopes {
        scopes.withLock { $0[Key(clientID: clientID, subject: user.subject)] } ?? Scopes(parsing: "")
    }
}
