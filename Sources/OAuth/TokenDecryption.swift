public import SwitchyardJOSE

/// The keys to which an issuer encrypts an app's tokens, and the tokens that must be encrypted.
public struct TokenDecryption: Hashable, Sendable {
    /// The kinds of tokens that an issuer encrypts.
    public enum Subject: String, CaseIterable, Hashable, Sendable {
        case idToken = "id_token"
        /// Signed authorization responses.
        case jarm
    }

    public let keys: DecryptionKeys
    /// A JWT of these that is only signed is refused (OpenID Connect Core section 3.1.3.7).
    public let required: Set<Subject>

    public init(_ keys: DecryptionKeys, required: Set<Subject>) {
        self.keys = keys
        self.required = required
    }
}

extension TokenDecryption? {
    /// The signed JWT in a text, out of its encryption where it has one.
    public func parse(
        _ compact: String, _ subject: TokenDecryption.Subject?
    ) throws(JWTError) -> UnverifiedJWT {
        guard let self else { return try UnverifiedJWT.parse(compact) }
        if UnverifiedJWT.isEncrypted(compact) { return try self.keys.open(compact) }
        if let subject, self.required.contains(subject) { throw .notEncrypted }
        return try UnverifiedJWT.parse(compact)
    }
}
