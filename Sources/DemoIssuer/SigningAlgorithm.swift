/// How the demo issuer signs its ID tokens (RFC 7518 section 3.1).
public enum SigningAlgorithm: String, Sendable, CaseIterable {
    /// RSASSA-PKCS1-v1_5 with SHA-256, with a key of 2048 bits.
    case rs256 = "RS256"
    /// ECDSA on P-256 with SHA-256.
    case es256 = "ES256"
    /// RSASSA-PSS with SHA-256, with a key of 2048 bits.
    case ps256 = "PS256"
}
