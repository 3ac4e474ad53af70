public import SwitchyardCrypto

/// Checks JWTs that are signed with a secret that both sides have (HS256, RFC 7518 section 3.2).
public enum SecretSignature {
    /// The least length of the secret, in bytes.
    public static let minimumSecretLength = 32

    /// The token, once `secret` is found to have made its signature.
    public static func verify(_ token: UnverifiedJWT, by secret: Secret) -> Result<VerifiedJWT, SignatureError> {
        guard token.algorithm == "HS256" else { return .failure(.algorithmNotAllowed) }
        guard secret.exposedBytes.count >= minimumSecretLength else { return .failure(.noKey) }
        let bytes = Array(token.compact.utf8)
        guard let dot = bytes.lastIndex(of: UInt8(ascii: ".")),
            let signature = Base64URL.decode(Array(bytes[(dot + 1)...]))
        else { return .failure(.wrongSignature) }
        let expected = HMACSHA256.code(for: Array(bytes[..<dot]), key: secret.exposedBytes)
        return constantTimeEqual(Array(expected), signature) ? .success(VerifiedJWT(token)) : .failure(.wrongSignature)
    }
}
