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
