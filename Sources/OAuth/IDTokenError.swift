public import SwitchyardJOSE

/// Why an ID token is refused, with the two values where they tell whom to ask: an issuer, a client, a tenant. No other
/// claim's value is in it.
public struct IDTokenError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Reason: Hashable, Sendable {
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
    }

    public let reason: Reason
    /// What the token says, as JSON, and what it should say; nil where that would show too much, or nothing.
    public let found: IssuerText?
    public let expected: IssuerText?

    public init(_ reason: Reason, found: IssuerText? = nil, expected: IssuerText? = nil) {
        self.reason = reason
        self.found = found
        self.expected = expected
    }

    public var description: String {
        let words = "the ID token \(reason)"
        guard let found else { return words }
        return "\(words): it says \(found)" + (expected.map { ", and expected is \($0)" } ?? "")
    }
}

extension IDTokenError.Reason: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreadable(.malformed): "is no compact JWS"
        case .unreadable(.criticalHeader): "demands an extension that is not known here"
        case .unreadable(.encrypted): "is encrypted, which is not supported"
        case .missingClaim(let name): "lacks a valid \(name)"
        case .wrongIssuer: "is from another issuer (iss)"
        case .tenantNotAllowed: "is from a tenant that is not listed (tid)"
        case .wrongAudience: "is for another client (aud)"
        case .wrongAuthorizedParty: "was issued to another client (azp)"
        case .expired: "has expired; is this machine's clock right?"
        case .notYetValid: "is from the future; is this machine's clock right?"
        case .wrongNonce: "belongs to another sign-in (its nonce differs)"
        case .wrongAccessTokenHash: "belongs to another access token (at_hash)"
        case .wrongCodeHash: "belongs to another code (c_hash)"
        }
    }
}
