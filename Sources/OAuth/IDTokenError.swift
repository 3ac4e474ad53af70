public import SwitchyardJOSE

/// Why an ID token is refused. No claim's value is in it.
public enum IDTokenError: Error, Hashable, Sendable, CustomStringConvertible {
    case unreadable(JWTError)
    /// A claim is missing, or has a value of the wrong kind.
    case missingClaim(name: String)
    case wrongIssuer
    case tenantNotAllowed
    case wrongAudience
    case wrongAuthorizedParty
    case expired
    case notYetValid
    case wrongNonce
    case wrongAccessTokenHash
    case wrongCodeHash

    public var description: String {
        switch self {
        case .unreadable(.malformed): "the ID token is no compact JWS"
        case .unreadable(.criticalHeader): "the ID token demands an extension that is not known here"
        case .unreadable(.encrypted): "the ID token is encrypted, which is not supported"
        case .missingClaim(let name): "the ID token lacks a valid \(name)"
        case .wrongIssuer: "the ID token is from another issuer"
        case .tenantNotAllowed: "the ID token is from a tenant that is not listed"
        case .wrongAudience: "the ID token is for another client"
        case .wrongAuthorizedParty: "the ID token was issued to another client"
        case .expired: "the ID token has expired; is this machine's clock right?"
        case .notYetValid: "the ID token is from the future; is this machine's clock right?"
        case .wrongNonce: "the ID token belongs to another sign-in (its nonce differs)"
        case .wrongAccessTokenHash: "the ID token belongs to another access token (at_hash)"
        case .wrongCodeHash: "the ID token belongs to another code (c_hash)"
        }
    }
}
