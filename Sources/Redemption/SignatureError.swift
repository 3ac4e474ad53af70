/// Why the signature of an ID token is not believed.
enum SignatureError: Error, Hashable, Sendable, CustomStringConvertible {
    case algorithmNotAllowed
    /// No key that the issuer publishes may verify it.
    case noKey
    case wrongSignature

    var description: String {
        switch self {
        case .algorithmNotAllowed: "the ID token is signed with an algorithm that is not allowed"
        case .noKey: "the issuer publishes no key that may verify the ID token"
        case .wrongSignature: "the signature of the ID token is wrong"
        }
    }
}
