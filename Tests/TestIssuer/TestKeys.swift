internal import SwitchyardCrypto
internal import SwitchyardDemoIssuer
internal import SwitchyardJSON
internal import Synchronization

/// The issuer's keys with their changes, and right and wrong signatures. Safe from any thread.
final class TestKeys: Sendable {
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

    /// How a JWT is signed.
    enum Manner: Sendable {
        /// With the current key, which the header names.
        case honest
        case flippedBit
        /// `alg` is `none`, and there is no signature (RFC 7518 section 3.6).
        case unsigned
        /// `alg` is `none`, with a signature nevertheless.
        case unsignedWithSignature
        /// HS256, with the public key in PEM as the secret.
        case hmacWithPEM
        /// HS256, with the public key as it stands in the JWK set as the secret.
        case hmacWithJWK
        /// Signs with an unknown key under the current key's ID.
        case unpublishedKey
        /// With the current key, which the header does not name.
        case withoutKeyID
        /// With the current key, under an ID that no key has.
        case unknownKeyID
    }

    private let keys: SigningKeys
    private let stranger = Mutex<SigningKey?>(nil)

    private static let maximumPublished = 16

    init(_ keys: SigningKeys) {
        self.keys = keys
    }

    var currentID: String { keys.current.keyID }

    func apply(_ change: Change) throws(DemoIssuerError) {
        // Made before the lock is taken: an RSA key takes its time.
        let id = change == .sameKeyID ? keys.current.keyID : SigningKey.newID()
        let key = try SigningKey(keys.algorithm, keyID: id)
        keys.change { state in
            let all = [key] + state.published.prefix(Self.maximumPublished - 1)
            switch change {
            case .rotate: state = SigningKeys.State(current: key, published: all)
            case .replace: state = SigningKeys.State(current: key, published: [key])
            case .sameKeyID: state.published = all
            case .withhold: state.published = []
            }
        }
    }

    /// The claims as a compact JWS.
    func sign(_ claims: JSONObject, _ manner: Manner) throws(DemoIssuerError) -> String {
        let key = keys.current
        let payload = JSONValue.object(claims).serialized
        switch manner {
        case .honest: return try key.sign(payload, keyID: key.keyID)
        case .flippedBit: return Self.withFlippedBit(try key.sign(payload, keyID: key.keyID))
        case .unsigned: return Self.unsigned(payload)
        case .unsignedWithSignature: return Self.unsigned(payload) + Random.token()
        case .hmacWithPEM: return Self.mac(payload, Array((PublicKeyPEM.text(of: key.publicJWK) ?? "").utf8), key)
        case .hmacWithJWK: return Self.mac(payload, key.publicJWK.serialized, key)
        case .unpublishedKey: return try unpublished().sign(payload, keyID: key.keyID)
        case .withoutKeyID: return try key.sign(payload, keyID: nil)
        case .unknownKeyID: return try key.sign(payload, keyID: Random.token(byteCount: 12))
        }
    }

    /// The unknown key; always the same one.
    private func unpublished() throws(DemoIssuerError) -> SigningKey {
        if let key = stranger.withLock({ $0 }) { return key }
        let key = try SigningKey(keys.algorithm)
        return stranger.withLock { kept in
            let first = kept ?? key
            kept = first
            return first
        }
    }

    private static func unsigned(_ payload: [UInt8]) -> String {
        Base64URL.encode(Array(#"{"alg":"none"}"#.utf8)) + "." + Base64URL.encode(payload) + "."
    }

    private static func mac(_ payload: [UInt8], _ secret: [UInt8], _ key: SigningKey) -> String {
        let header = JSONValue.object(["kid": .string(key.keyID), "alg": "HS256"]).serialized
        let signed = Base64URL.encode(header) + "." + Base64URL.encode(payload)
        return signed + "." + Base64URL.encode(hmac(Array(signed.utf8), secret))
    }

    /// HMAC with SHA-256 (RFC 2104 section 2).
    private static func hmac(_ text: [UInt8], _ secret: [UInt8]) -> [UInt8] {
        let short = secret.count > 64 ? Array(SHA256Digest(of: secret).bytes) : secret
        let key = short + [UInt8](repeating: 0, count: 64 - short.count)
        let inner = SHA256Digest(of: key.map { $0 ^ 0x36 } + text).bytes
        return Array(SHA256Digest(of: key.map { $0 ^ 0x5C } + Array(inner)).bytes)
    }

    /// The same token with one bit of its signature flipped.
    private static func withFlippedBit(_ token: String) -> String {
        guard let dot = token.lastIndex(of: "."),
            var signature = Base64URL.decode(Array(token[token.index(after: dot)...].utf8)),
            let last = signature.indices.last
        else { return token }
        signature[last] ^= 1
        return token[...dot] + Base64URL.encode(signature)
    }
}
