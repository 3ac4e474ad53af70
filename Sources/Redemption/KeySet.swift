internal import SwitchyardJSON
internal import SwitchyardOAuth

/// The keys that an issuer publishes, as far as they may verify ID tokens (RFC 7517 section 5).
struct KeySet: Hashable, Sendable {
    let keys: [VerificationKey]

    /// Reads a JWK set. Keys that are no use here are passed over, as section 5 wants it; nil when it is no JWK set.
    init?(body: [UInt8]) {
        guard let list = (try? JSONValue.parse(body))?.object?["keys"]?.array else { return nil }
        keys = list.compactMap { $0.object.flatMap(VerificationKey.init) }
    }

    /// The places of the keys to try. A key that bears the token's key ID is the only choice; otherwise those that fit,
    /// but for keys that bear another key ID.
    func candidates(keyID: String?, _ algorithm: SigningAlgorithm) -> [Int] {
        if hasKey(keyID) { return keys.indices.filter { keys[$0].id == keyID && keys[$0].fits(algorithm) } }
        return keys.indices.filter { (keyID == nil || keys[$0].id == nil) && keys[$0].fits(algorithm) }
    }

    /// Whether a key bears this ID. When none does, newer keys may.
    func hasKey(_ keyID: String?) -> Bool {
        keyID != nil && keys.contains { $0.id == keyID }
    }
}
