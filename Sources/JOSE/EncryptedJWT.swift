public import SwitchyardCrypto
public import SwitchyardJSON
internal import SwitchyardText

/// The private keys of a client to which an issuer encrypts its JWTs. Safe from any thread.
public struct DecryptionKeys: Sendable {
    /// One of them, by the ID under which the client publishes it.
    public struct Key: Sendable {
        public let id: String
        let pair: KeyPair

        /// nil unless it is a private key in PEM without a password, RSA of 2048 bits or more, or on P-256 or P-384.
        public init?(id: String, pem: Secret) {
            guard let pair = KeyPair(pem: pem) else { return nil }
            self.init(id: id, pair)
        }

        init?(id: String, _ pair: KeyPair) {
            switch pair.publicKey.numbers {
            case .rsa(let modulus, _): guard modulus.count >= 256 else { return nil }
            case .ec(.p256, _, _), .ec(.p384, _, _): break
            case .ec(.p521, _, _), .ed25519: return nil
            }
            self.id = id
            self.pair = pair
        }

        /// The public half as a member of a JWK set (RFC 7517 section 5).
        public var published: JSONObject {
            var json = pair.publicKey.numbers.jwk
            json["kid"] = .string(id)
            json["use"] = "enc"
            return json
        }
    }

    public let keys: [Key]

    /// The most keys that are tried for one JWE (RFC 7515 appendix D, step 5). Each try is an operation with a private
    /// key, and everybody can send a JWE. A client that changes its keys has two of a kind.
    static let maximumTries = 4

    public init(_ keys: [Key]) {
        self.keys = keys
    }

    /// The JWT inside an encrypted one, still unverified.
    /// - Throws: ``JWTError`` where it cannot be opened, and for content that is no signed JWT: a second layer, or one
    ///   without a signature.
    public func open(_ compact: String) throws(JWTError) -> UnverifiedJWT {
        let jwe: CompactJWE
        do throws(EncryptionError) {
            jwe = try CompactJWE(compact)
        } catch {
            throw .undecryptable(error)
        }
        // The key that the sender names is the only choice. A name of no key is a hint that does not help (RFC 7516
        // section 4.1.6): some issuers make up names for keys that they were given without one.
        let named = jwe.keyID.map { id in keys.filter { $0.id.isExactly(id) } } ?? []
        let fitting = (named.isEmpty ? keys : named).filter { jwe.fits($0.pair.publicKey.numbers.kind) }
        guard !fitting.isEmpty else { throw .undecryptable(.noKey) }
        for key in fitting.prefix(Self.maximumTries) {
            if let content = jwe.open(with: key.pair) { return try Self.inner(content) }
        }
        throw .undecryptable(.wrongKey)
    }

    private static func inner(_ content: [UInt8]) throws(JWTError) -> UnverifiedJWT {
        guard let text = String(validating: content, as: UTF8.self) else { throw .malformed }
        return try UnverifiedJWT.parse(text)
    }
}

extension DecryptionKeys: Hashable {}

extension DecryptionKeys.Key: Hashable {
    public static func == (left: Self, right: Self) -> Bool {
        left.id.isExactly(right.id) && left.pair.publicKey == right.pair.publicKey
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(pair.publicKey)
    }
}

extension UnverifiedJWT {
    /// Whether a text has the form of an encrypted JWT: five parts.
    public static func isEncrypted(_ compact: String) -> Bool {
        compact.utf8.reduce(0) { $1 == UInt8(ascii: ".") ? $0 + 1 : $0 } == 4
    }
}

/// The reason why a JWE does not open. No input is in it.
public enum EncryptionError: Error, Hashable, Sendable, CustomStringConvertible {
    /// No compact JWE with a header that is a JSON object.
    case malformed
    case algorithmNotAllowed
    /// The header has `zip`: what is small on the wire may be huge.
    case compressed
    /// The header names an extension that must be understood (`crit`).
    case criticalHeader
    /// The client has no key for the algorithm.
    case noKey
    /// No key of the client opens it, or something was changed.
    case wrongKey

    public var description: String {
        switch self {
        case .malformed: "is no compact JWE"
        case .algorithmNotAllowed: "is encrypted with an algorithm that is not allowed"
        case .compressed: "is compressed (zip), which is not allowed"
        case .criticalHeader: "demands an extension that is not known here (crit)"
        case .noKey: "is encrypted to a kind of key that the app does not have"
        case .wrongKey: "is encrypted to another key than the app's, or was changed"
        }
    }
}
