internal import SwitchyardCrypto
internal import SwitchyardJSON

/// The reason why the signature of a JWT is rejected.
public enum SignatureError: Error, Hashable, Sendable, CustomStringConvertible {
    case algorithmNotAllowed
    /// No key that the issuer publishes may verify it.
    case noKey
    case wrongSignature

    public var description: String {
        switch self {
        case .algorithmNotAllowed: "it is signed with an algorithm that is not allowed"
        case .noKey: "the issuer publishes no key that may verify it"
        case .wrongSignature: "its signature is wrong"
        }
    }
}

/// The keys of an issuer, ready for use. Belongs to the thread that made it, as libcjose's keys do.
public final class SignatureVerifier {
    /// A key in the hands of the library that can verify with it: libcjose knows no Ed25519, OpenSSL does.
    private enum Key {
        case jose(JOSEKey)
        case ed25519(Ed25519PublicKey)

        /// nil for a key that cannot be read.
        init?(_ key: VerificationKey) {
            switch key.kind {
            case .rsa, .p256, .p384, .p521:
                guard let key = JOSEKey(jwk: JSONValue.object(key.jwk).serialized) else { return nil }
                self = .jose(key)
            case .ed25519:
                guard let x = key.jwk["x"]?.string.flatMap({ Base64URL.decode($0) }),
                    let key = Ed25519PublicKey(bytes: x)
                else { return nil }
                self = .ed25519(key)
            }
        }

        func verifies(_ compact: String) -> Bool {
            switch self {
            case .jose(let key): key.verifies(compact)
            case .ed25519(let key): key.verifies(compact)
            }
        }
    }

    private let set: KeySet
    /// The tried keys, by their places in the set; nil for an unreadable one. Reading a key costs as much as verifying
    /// with it, so only the keys that a token asks for are read.
    private var keys: [Int: Key?] = [:]

    public init(_ set: KeySet) {
        self.set = set
    }

    /// The token, once one of the keys that may have made its signature is found to have made it.
    public func verify(_ token: UnverifiedJWT) -> Result<VerifiedJWT, SignatureError> {
        guard let algorithm = SigningAlgorithm(rawValue: token.algorithm) else { return .failure(.algorithmNotAllowed) }
        return verifies(token.compact, algorithm, keyID: token.keyID).map { VerifiedJWT(token) }
    }

    func verifies(_ compact: String, _ algorithm: SigningAlgorithm, keyID: String?) -> Result<Void, SignatureError> {
        let candidates = set.candidates(keyID: keyID, algorithm).compactMap { key(at: $0) }
        if candidates.isEmpty { return .failure(.noKey) }
        return candidates.contains { $0.verifies(compact) } ? .success(()) : .failure(.wrongSignature)
    }

    private func key(at place: Int) -> Key? {
        if let known = keys[place] { return known }
        let key = Key(set.keys[place])
        keys[place] = .some(key)
        return key
    }
}

extension Ed25519PublicKey {
    /// Whether the JWS in compact serialization is signed with this key (RFC 8037 section 3.1).
    fileprivate func verifies(_ compact: String) -> Bool {
        let bytes = Array(compact.utf8)
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")),
            let signature = Base64URL.decode(Array(bytes[(dot + 1)...]))
        else { return false }
        return isSigner(of: Array(bytes[..<dot]), signature: signature)
    }
}
