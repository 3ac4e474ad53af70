internal import SwitchyardJSON
internal import Synchronization

/// The issuer's keys as time goes by: the one that signs, those that are published, and one that never is. Safe from any
/// thread.
final class SigningKeys: Sendable {
    /// What can happen to keys.
    enum Change: String, CaseIterable, Sendable {
        /// A new key signs from now on; the old ones stay published.
        case rotate
        /// A new key signs from now on, and it alone is published.
        case replace
        /// Before the key that signs, another one is published under the same ID.
        case sameKeyID = "same_kid"
        /// No key is published.
        case withhold
    }

    private struct State {
        var current: SigningKey
        var published: [SigningKey]
        var unpublished: SigningKey?
    }

    let algorithm: SigningAlgorithm
    private let state: Mutex<State>

    private static let maximumPublished = 16

    /// - Throws: ``DemoIssuerError/signing(reason:)``.
    init(_ algorithm: SigningAlgorithm) throws(DemoIssuerError) {
        self.algorithm = algorithm
        let key = try SigningKey(algorithm)
        state = Mutex(State(current: key, published: [key]))
    }

    var current: SigningKey { state.withLock { $0.current } }

    /// RFC 7517 section 5.
    var jwks: JSONValue { ["keys": .array(state.withLock { $0.published }.map(\.publicJWK))] }

    /// The key that nobody can know; always the same one.
    func unpublished() throws(DemoIssuerError) -> SigningKey {
        if let key = state.withLock({ $0.unpublished }) { return key }
        let key = try SigningKey(algorithm)
        return state.withLock { state in
            let kept = state.unpublished ?? key
            state.unpublished = kept
            return kept
        }
    }

    func apply(_ change: Change) throws(DemoIssuerError) {
        // Made before the lock is taken: an RSA key takes its time.
        let key = try SigningKey(algorithm, keyID: change == .sameKeyID ? current.keyID : SigningKey.newID())
        state.withLock { state in
            switch change {
            case .rotate:
                state.current = key
                state.published = [key] + state.published.prefix(Self.maximumPublished - 1)
            case .replace:
                state.current = key
                state.published = [key]
            case .sameKeyID: state.published = [key] + state.published.prefix(Self.maximumPublished - 1)
            case .withhold: state.published = []
            }
        }
    }
}
