/// The algorithms that an ID token may be signed with. What is not here (`none`, HMAC, EdDSA) is refused.
enum SigningAlgorithm: String, CaseIterable, Sendable {
    case rs256 = "RS256"
    case rs384 = "RS384"
    case rs512 = "RS512"
    case ps256 = "PS256"
    case ps384 = "PS384"
    case ps512 = "PS512"
    case es256 = "ES256"
    case es384 = "ES384"
    case es512 = "ES512"

    /// The only kind of key that this algorithm may meet (RFC 7518 section 3.1).
    var keyKind: VerificationKey.Kind {
        switch self {
        case .rs256, .rs384, .rs512, .ps256, .ps384, .ps512: .rsa
        case .es256: .p256
        case .es384: .p384
        case .es512: .p521
        }
    }
}
