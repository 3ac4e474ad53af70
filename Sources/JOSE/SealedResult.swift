internal import SwitchyardCrypto
internal import SwitchyardJSON

/// The one form of JWE here, in compact serialization: ECDH-ES on P-256, whose key encrypts by A256GCM (RFC 7516
/// section 3.1, RFC 7518 sections 4.6 and 5.3). The sender chooses no algorithm.
enum SealedResult {
    /// In bytes, of the compact form; results are far smaller.
    static let maximumLength = 8 << 20

    private static let keyManagement = "ECDH-ES"
    private static let encryption = "A256GCM"

    /// - Returns: nil only when memory is short.
    static func seal(_ plaintext: [UInt8], to recipient: AsymmetricPublicKey) -> String? {
        guard let ephemeral = KeyPair(generating: recipient.numbers.kind),
            let agreement = ephemeral.agreement(with: recipient)
        else { return nil }
        let header: JSONObject = [
            "alg": .string(keyManagement), "enc": .string(encryption), "epk": .object(ephemeral.publicKey.numbers.jwk),
        ]
        let head = Base64URL.encode(JSONValue.object(header).serialized)
        let nonce = Random.bytes(AESGCM.nonceLength)
        let box = AESGCM.seal(plaintext, key: key(agreement), nonce: nonce, associated: Array(head.utf8))
        guard let box else { return nil }
        let parts = [nonce, box.dropLast(AESGCM.tagLength), box.suffix(AESGCM.tagLength)].map {
            Base64URL.encode(Array($0))
        }
        // The second part is empty: the agreed key is used directly.
        return "\(head)..\(parts[0]).\(parts[1]).\(parts[2])"
    }

    /// - Returns: nil for another form, another key, or anything that was changed on its way.
    static func open(_ compact: String, with key: KeyPair) -> [UInt8]? {
        guard compact.utf8.count <= maximumLength else { return nil }
        let parts = Array(compact.utf8).split(
            separator: UInt8(ascii: "."), maxSplits: 5, omittingEmptySubsequences: false)
        guard parts.count == 5, parts[1].isEmpty, let header = Base64URL.decode(parts[0]), let sender = sender(header),
            let nonce = Base64URL.decode(parts[2]), let ciphertext = Base64URL.decode(parts[3]),
            let tag = Base64URL.decode(parts[4]), tag.count == AESGCM.tagLength,
            let agreement = key.agreement(with: sender)
        else { return nil }
        return AESGCM.open(ciphertext + tag, key: Self.key(agreement), nonce: nonce, associated: Array(parts[0]))
    }

    /// The ephemeral key in a header of this form. Names of the parties are not used here.
    private static func sender(_ bytes: [UInt8]) -> AsymmetricPublicKey? {
        guard let header = (try? JSONValue.parse(bytes))?.object, header["alg"] == .string(keyManagement),
            header["enc"] == .string(encryption), ["apu", "apv", "zip", "crit"].allSatisfy({ header[$0] == nil }),
            let epk = header["epk"]?.object
        else { return nil }
        return (try? PublicKey(epk))?.key
    }

    private static func key(_ agreement: Secret) -> Secret {
        ConcatKDF.key(from: agreement, algorithm: encryption, length: AESGCM.keyLength)
    }
}
