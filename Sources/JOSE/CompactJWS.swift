package import SwitchyardCrypto
package import SwitchyardJSON

/// A JWS in compact serialization (RFC 7515 section 3.1) that was only decoded.
package struct CompactJWS: Sendable {
    package let header: JSONObject
    package let payload: [UInt8]
    /// The characters that the signature covers: the first two parts.
    let signed: [UInt8]
    /// nil where the third part is no base64url.
    let signature: [UInt8]?

    /// Takes three parts, of which the first one is a JSON object. A JWE has five.
    package init(_ compact: String) throws(JWTError) {
        let text = Array(compact.utf8)
        // A text with more than five parts is malformed, however many it has.
        let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 5, omittingEmptySubsequences: false)
        guard parts.count != 5 else { throw .encrypted }
        guard parts.count == 3, let header = Base64URL.decode(parts[0]).flatMap({ try? JSONValue.parse($0) })?.object,
            let payload = Base64URL.decode(parts[1])
        else { throw .malformed }
        self.header = header
        self.payload = payload
        signed = Array(text[..<parts[1].endIndex])
        signature = Base64URL.decode(parts[2])
    }

    /// Whether the key made the signature, by this algorithm and no other: the header must name it, the key must be of
    /// its kind, and an extension that must be understood (`crit`) makes the JWS invalid.
    func isSigned(by key: AsymmetricPublicKey, _ algorithm: SigningAlgorithm) -> Bool {
        guard isSigned(with: algorithm.rawValue), algorithm.keyKind == key.numbers.kind, let signature else {
            return false
        }
        return key.isSigner(of: signed, signature: signature, algorithm.scheme)
    }

    /// Whether the MAC is HMAC-SHA-256 with the secret (RFC 7518 section 3.2). Only ``SecretSignature`` asks this.
    func isAuthenticated(by secret: Secret) -> Bool {
        guard isSigned(with: SecretSignature.algorithm), let signature else { return false }
        return constantTimeEqual(HMACSHA256.code(for: signed, key: secret.exposedBytes), signature)
    }

    private func isSigned(with algorithm: String) -> Bool {
        header["alg"] == .string(algorithm) && header["crit"] == nil
    }

    /// Signs the payload, and names the algorithm in the header.
    /// - Parameter header: the other members.
    /// - Returns: nil for a key of another kind than the algorithm takes, and when memory is short.
    package static func sign(
        _ payload: [UInt8], header: JSONObject, with key: KeyPair, _ algorithm: SigningAlgorithm
    ) -> String? {
        guard algorithm.keyKind == key.publicKey.numbers.kind else { return nil }
        let signed = text(of: payload, header, algorithm.rawValue)
        return key.sign(Array(signed.utf8), algorithm.scheme).map { "\(signed).\(Base64URL.encode($0))" }
    }

    /// The same with HMAC-SHA-256 under the secret. Only ``SecretSignature`` asks this.
    static func authenticate(_ payload: [UInt8], header: JSONObject, by secret: Secret) -> String {
        let signed = text(of: payload, header, SecretSignature.algorithm)
        let code = HMACSHA256.code(for: Array(signed.utf8), key: secret.exposedBytes)
        return "\(signed).\(Base64URL.encode(code))"
    }

    /// The two parts that a signature covers.
    private static func text(of payload: [UInt8], _ header: JSONObject, _ algorithm: String) -> String {
        var header = header
        header["alg"] = .string(algorithm)
        return "\(Base64URL.encode(JSONValue.object(header).serialized)).\(Base64URL.encode(payload))"
    }
}
