internal import Crypto
public import JSON

/// Why a text is no JWS that could be verified. No part of it is in the error.
public enum JWSError: Error, Hashable, Sendable {
    case tooLarge
    /// No compact JWS with a header and claims that are JSON objects without a name that stands twice.
    case malformed
    /// The header names an extension that must be understood (`crit`).
    case criticalHeader
    /// Five parts: a JWE in compact serialization (RFC 7516 section 3.1).
    case encrypted
}

/// Signed claims that have been decoded and nothing more: neither the signature nor a claim has been looked at.
///
/// It may hold a code or name a person, so it does not print.
public struct UnverifiedJWS: Sendable, CustomStringConvertible, CustomReflectable {
    /// The compact serialization itself.
    public let compact: String
    public let algorithm: String
    public let keyID: String?
    public let claims: JSONObject

    /// Decodes a JWS in compact serialization (RFC 7515 section 3.1): three parts, the last one not empty.
    /// - Parameter maximumLength: in bytes, of the compact form.
    static func parse(_ compact: String, maximumLength: Int) throws(JWSError) -> UnverifiedJWS {
        guard compact.utf8.count <= maximumLength else { throw .tooLarge }
        // Two more than a JWE has are no JWE either: what lies behind is not cut up.
        let parts = Array(compact.utf8).split(
            separator: UInt8(ascii: "."), maxSplits: 5, omittingEmptySubsequences: false)
        guard parts.count != 5 else { throw .encrypted }
        guard parts.count == 3, !parts[2].isEmpty, Base64URL.decode(Array(parts[2])) != nil,
            let header = object(parts[0]), let claims = object(parts[1]), let algorithm = header["alg"]?.string
        else { throw .malformed }
        // RFC 7515 section 4.1.11: an extension that is not understood makes the JWS invalid, and none is here.
        guard header["crit"] == nil else { throw .criticalHeader }
        return UnverifiedJWS(compact: compact, algorithm: algorithm, keyID: header["kid"]?.string, claims: claims)
    }

    private static func object(_ part: ArraySlice<UInt8>) -> JSONObject? {
        guard let bytes = Base64URL.decode(Array(part)) else { return nil }
        return (try? JSONValue.parse(bytes))?.object
    }

    public var description: String { "[redacted]" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
