internal import SwitchyardJSON
internal import Synchronization

/// The key that signs in the issuer's name and those that are published. Safe from any thread.
package final class SigningKeys: Sendable {
    package struct State: Sendable {
        package var current: SigningKey
        package var published: [SigningKey]

        package init(current: SigningKey, published: [SigningKey]) {
            self.current = current
            self.published = published
        }
    }

    package let algorithm: IDTokenAlgorithm
    private let state: Mutex<State>

    /// - Throws: ``DemoIssuerError/noKey``.
    init(_ algorithm: IDTokenAlgorithm) throws(DemoIssuerError) {
        self.algorithm = algorithm
        let key = try SigningKey(algorithm)
        state = Mutex(State(current: key, published: [key]))
    }

    package var current: SigningKey { state.withLock { $0.current } }

    /// RFC 7517 section 5.
    var jwks: JSONValue { ["keys": .array(state.withLock { $0.published }.map(\.publicJWK))] }

    package func change(_ change: @Sendable (inout State) -> Void) {
        state.withLock { change(&$0) }
    }

    /// The claims as a compact JWS (RFC 7519), by the current key, which the header names.
    func sign(_ claims: JSONObject) throws(DemoIssuerError) -> String {
        let key = current
        return try key.sign(JSONValue.object(claims).serialized, keyID: key.keyID)
    }
}
