/// Why a signature is not believed. The raw values name it in logs.
enum SignatureError: String, Error, Hashable, Sendable {
    case algorithmNotAllowed = "algorithm_not_allowed"
    /// No key that the issuer publishes may verify it.
    case noKey = "no_key"
    case wrongSignature = "wrong_signature"

    /// What it means for an ID token.
    var description: String {
        switch self {
        case .algorithmNotAllowed: "the ID token is signed with an algorithm that is not allowed"
        case .noKey: "the issuer publishes no key that may verify the ID token"
        case .wrongSignature: "the signature of the ID token is wrong"
        }
    }
}
