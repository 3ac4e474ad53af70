public import SwitchyardJSON

/// The reason why a text is no readable signed JWT. No input is in it.
public enum JWTError: Error, Hashable, Sendable {
    /// No compact JWS with a header and claims that are JSON objects.
    case malformed
    /// The header names an extension that must be understood (`crit`).
    case criticalHeader
    /// A JWE: five parts. Where one is expected, a second layer.
    case encrypted
    /// A JWE that does not open.
    case undecryptable(EncryptionError)
    /// Signed only, although the app has keys to which it must be encrypted.
    case notEncrypted
}

/// A signed JWT (an ID token, or a signed authorization response) that was only decoded: neither its signature nor a
/// claim was checked. It may hold a code or name a person, so it does not print.
public struct UnverifiedJWT: Sendable, CustomStringConvertible, CustomReflectable {
    /// In bytes, of the compact form.
    public static let maximumLength = 64 * 1024

    /// The compact serialization itself.
    public let compact: String
    public let algorithm: String
    public let keyID: String?
    public let claims: JSONObject
    let jws: CompactJWS

    /// Decodes a JWS in compact serialization (RFC 7515 section 3.1): three parts, the last one not empty.
    public static func parse(_ compact: String) throws(JWTError) -> UnverifiedJWT {
        guard compact.utf8.count <= maximumLength else { throw .malformed }
        let jws = try CompactJWS(compact)
        let header = jws.header
        guard jws.signature?.isEmpty == false, let claims = (try? JSONValue.parse(jws.payload))?.object,
            let algorithm = header["alg"]?.string
        else { throw .malformed }
        // RFC 7515 section 4.1.4: a key ID is text. Another type must not pass for an absent one.
        guard header["kid"] == nil || header["kid"]?.string != nil else { throw .malformed }
        // RFC 7515 section 4.1.11: an unknown extension makes the JWS invalid, and this library knows none.
        guard header["crit"] == nil else { throw .criticalHeader }
        return UnverifiedJWT(
            compact: compact, algorithm: algorithm, keyID: header["kid"]?.string, claims: claims, jws: jws)
    }

    public var description: String { "[redacted]" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// A JWT with a verified signature of its issuer. Only the check of a signature makes one, so code that asks for this
/// type cannot be given an unchecked JWT.
public struct VerifiedJWT: Sendable, CustomStringConvertible, CustomReflectable {
    public let token: UnverifiedJWT

    public var claims: JSONObject { token.claims }

    init(_ token: UnverifiedJWT) {
        self.token = token
    }

    public var description: String { "[redacted]" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension JSONObject {
    /// A NumericDate among the claims: seconds since 1970; a fraction is cut off (RFC 7519 section 2 allows one). nil
    /// for anything that is no such time.
    public subscript(numericDate name: String) -> Int64? {
        switch self[name] {
        case .integer(let seconds): seconds
        // Beyond that no clock comes, and sums with it would overflow.
        case .number(let seconds) where seconds.magnitude < 0x1p62: Int64(seconds)
        default: nil
        }
    }
}
