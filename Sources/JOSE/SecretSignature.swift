public import SwitchyardCrypto
public import SwitchyardJSON

/// Checks and makes JWTs that are signed with a secret that both sides have (HS256, RFC 7518 section 3.2). It is apart from
/// ``KeySet``: no public key ever serves as a secret, and each of the two refuses the algorithms of the other.
public enum SecretSignature {
    static let algorithm = "HS256"
    /// The least length of the secret, in bytes.
    public static let minimumSecretLength = 32

    /// The token, once `secret` is found to have made its signature.
    public static func verify(_ token: UnverifiedJWT, by secret: Secret) -> Result<VerifiedJWT, SignatureError> {
        guard token.algorithm == algorithm else { return .failure(.algorithmNotAllowed) }
        guard secret.exposedBytes.count >= minimumSecretLength else { return .failure(.noKey) }
        return token.jws.isAuthenticated(by: secret) ? .success(VerifiedJWT(token)) : .failure(.wrongSignature)
    }

    /// A compact JWS over the claims (RFC 7515 section 3.1).
    /// - Parameter type: the header's `typ`.
    /// - Returns: nil for a secret that is too short.
    public static func sign(_ claims: JSONObject, type: String, by secret: Secret) -> String? {
        guard secret.exposedBytes.count >= minimumSecretLength else { return nil }
        return CompactJWS.authenticate(JSONValue.object(claims).serialized, header: ["typ": .string(type)], by: secret)
    }
}
