public import JSON

/// An ID token that has been decoded and nothing more: neither its signature nor a claim has been looked at.
public struct UnverifiedIDToken: Sendable {
    /// In bytes, of the compact form.
    public static let maximumLength = 64 * 1024

    /// What a signature check needs of it.
    public let jws: UnverifiedJWS

    public var algorithm: String { jws.algorithm }
    public var keyID: String? { jws.keyID }
    public var claims: JSONObject { jws.claims }

    /// Decodes a JWS in compact serialization (RFC 7515 section 3.1): three parts, the last one not empty.
    public static func parse(_ compact: String) throws(IDTokenError) -> UnverifiedIDToken {
        do throws(JWSError) {
            return UnverifiedIDToken(jws: try UnverifiedJWS.parse(compact, maximumLength: maximumLength))
        } catch {
            switch error {
            case .criticalHeader: throw .criticalHeader
            case .tooLarge, .malformed, .encrypted: throw .malformed
            }
        }
    }
}
