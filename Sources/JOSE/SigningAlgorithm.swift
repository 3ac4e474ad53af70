public import SwitchyardCrypto

/// The algorithms that an issuer may sign with (RFC 7518 section 3.1, RFC 8037 section 3.1). Others (`none`, HMAC,
/// Ed448) are refused.
public enum SigningAlgorithm: String, CaseIterable, Sendable {
    case rs256 = "RS256"
    case rs384 = "RS384"
    case rs512 = "RS512"
    case ps256 = "PS256"
    case ps384 = "PS384"
    case ps512 = "PS512"
    case es256 = "ES256"
    case es384 = "ES384"
    case es512 = "ES512"
    /// With a key on Ed25519.
    case edDSA = "EdDSA"
    /// The same by its own name (RFC 9864 section 2.2).
    case ed25519 = "Ed25519"

    /// The only kind of key that this algorithm takes.
    package var keyKind: KeyKind {
        switch self {
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: .rsa
        case .es256: .ec(.p256)
        case .es384: .ec(.p384)
        case .es512: .ec(.p521)
        case .edDSA, .ed25519: .ed25519
        }
    }

    var scheme: SignatureScheme {
        switch self {
        case .rs256, .rs384, .rs512: .rsaPKCS1(hash)
        case .ps256, .ps384, .ps512: .rsaPSS(hash)
        case .es256, .es384, .es512: .ecdsa(hash)
        case .edDSA, .ed25519: .ed25519
        }
    }

    /// The hash inside, which `at_hash` and `c_hash` are made with too (OpenID Connect Core section 3.1.3.6).
    public var hash: SHA2 {
        switch self {
        case .rs256, .ps256, .es256: .sha256
        case .rs384, .ps384, .es384: .sha384
        case .rs512, .ps512, .es512, .edDSA, .ed25519: .sha512
        }
    }
}
