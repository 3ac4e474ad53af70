internal import SwitchyardCrypto
internal import SwitchyardJSON

/// A JWE in compact serialization (RFC 7516 section 3.1) that was only decoded, with one of the algorithms that are taken
/// from issuers.
struct CompactJWE {
    /// How the key of the content comes to the recipient (RFC 7518 section 4.1).
    enum Management: String {
        case rsaOAEP = "RSA-OAEP-256"
        case agreement = "ECDH-ES"
        case agreementWithWrapping = "ECDH-ES+A256KW"

        fileprivate func fits(_ kind: KeyKind) -> Bool {
            switch (self, kind) {
            case (.rsaOAEP, .rsa), (.agreement, .ec), (.agreementWithWrapping, .ec): true
            case (.rsaOAEP, _), (.agreement, _), (.agreementWithWrapping, _): false
            }
        }
    }

    /// How the content is encrypted (RFC 7518 section 5.1).
    enum Encryption: String {
        case a128GCM = "A128GCM"
        case a256GCM = "A256GCM"
        case a128CBC = "A128CBC-HS256"

        /// In bytes.
        var keyLength: Int { self == .a128GCM ? 16 : 32 }

        func open(_ box: [UInt8], key: Secret, nonce: [UInt8], associated: [UInt8]) -> [UInt8]? {
            switch self {
            case .a128GCM, .a256GCM: AESGCM.open(box, key: key, nonce: nonce, associated: associated)
            case .a128CBC: AESCBC.open(box, key: key, nonce: nonce, associated: associated)
            }
        }
    }

    /// In bytes: a JWT of the greatest length, encrypted.
    static let maximumLength = UnverifiedJWT.maximumLength * 4 / 3 + 8 * 1024
    private static let tagLength = 16

    let management: Management
    let encryption: Encryption
    /// `kid`; nil where the sender names no key.
    let keyID: String?
    private let ephemeral: AsymmetricPublicKey?
    private let parties: (sender: [UInt8], recipient: [UInt8])
    private let associated: [UInt8]
    private let encryptedKey: [UInt8]
    private let nonce: [UInt8]
    /// The ciphertext with its tag behind it.
    private let box: [UInt8]

    /// Whether a key of this kind could open it. Both sides of a key agreement are on one curve.
    func fits(_ kind: KeyKind) -> Bool {
        management.fits(kind) && ephemeral.map { $0.numbers.kind == kind } ?? true
    }

    init(_ compact: String) throws(EncryptionError) {
        guard compact.utf8.count <= Self.maximumLength else { throw .malformed }
        let parts = Array(compact.utf8).split(
            separator: UInt8(ascii: "."), maxSplits: 5, omittingEmptySubsequences: false)
        guard parts.count == 5, let header = Base64URL.decode(parts[0]).flatMap({ try? JSONValue.parse($0) })?.object,
            let key = Base64URL.decode(parts[1]), let nonce = Base64URL.decode(parts[2]),
            let ciphertext = Base64URL.decode(parts[3]), let tag = Base64URL.decode(parts[4]),
            tag.count == Self.tagLength
        else { throw .malformed }
        guard header["crit"] == nil else { throw .criticalHeader }
        guard header["zip"] == nil else { throw .compressed }
        guard let management = header["alg"]?.string.flatMap(Management.init),
            let encryption = header["enc"]?.string.flatMap(Encryption.init)
        else { throw .algorithmNotAllowed }
        guard header["kid"] == nil || header["kid"]?.string != nil, let sender = Self.party(header["apu"]),
            let recipient = Self.party(header["apv"])
        else { throw .malformed }
        switch management {
        case .rsaOAEP: ephemeral = nil
        case .agreement, .agreementWithWrapping:
            guard let epk = header["epk"]?.object, epk["d"] == nil, let numbers = PublicNumbers(jwk: epk),
                let point = AsymmetricPublicKey(numbers), key.isEmpty == (management == .agreement)
            else { throw .malformed }
            ephemeral = point
        }
        self.management = management
        self.encryption = encryption
        keyID = header["kid"]?.string
        parties = (sender, recipient)
        associated = Array(parts[0])
        encryptedKey = key
        self.nonce = nonce
        box = ciphertext + tag
    }

    /// `apu` or `apv`; empty where it is absent, nil for anything but base64url.
    private static func party(_ value: JSONValue?) -> [UInt8]? {
        guard let value else { return [] }
        return value.string.flatMap { Base64URL.decode($0) }
    }

    /// The content; nil for another key, and when anything was changed.
    func open(with pair: KeyPair) -> [UInt8]? {
        encryption.open(box, key: contentKey(pair), nonce: nonce, associated: associated)
    }

    /// The key of the content. A key that cannot be had is a random one, so that a sender cannot tell where it failed
    /// (RFC 7516 section 11.5).
    private func contentKey(_ pair: KeyPair) -> Secret {
        let key: Secret? =
            switch management {
            case .rsaOAEP: pair.decryptOAEP(encryptedKey)
            case .agreement: agreed(pair, for: encryption.rawValue, length: encryption.keyLength)
            case .agreementWithWrapping:
                agreed(pair, for: management.rawValue, length: 32).flatMap { AESKeyWrap.unwrap(encryptedKey, with: $0) }
            }
        guard let key, key.exposedBytes.count == encryption.keyLength else {
            return Secret(Random.bytes(encryption.keyLength))
        }
        return key
    }

    private func agreed(_ pair: KeyPair, for algorithm: String, length: Int) -> Secret? {
        guard let ephemeral, let agreement = pair.agreement(with: ephemeral) else { return nil }
        return ConcatKDF.key(
            from: agreement, algorithm: algorithm, length: length, partyU: parties.sender, partyV: parties.recipient)
    }
}
