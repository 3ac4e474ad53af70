import Crypto
import JSON
import OAuth

/// Signed tokens in compact serialization, before their signature is looked at.
///
/// The place for every reader of a compact JWT: a JARM response goes beside the ID token.
enum JWTTarget {
    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        let text = String(decoding: bytes, as: UTF8.self)
        try checkIDToken(text)
    }

    private static func checkIDToken(_ text: String) throws(BrokenInvariant) {
        guard let token = try? UnverifiedIDToken.parse(text) else { return }
        try require(token.compact.utf8.elementsEqual(text.utf8), "a token is kept as it came")
        try require(text.utf8.count <= UnverifiedIDToken.maximumLength, "a token is bounded")
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        try require(parts.count == 3 && parts.allSatisfy { !$0.isEmpty }, "a token has three parts")
        for part in parts {
            let decoded = Base64URL.decode(String(part))
            try require(decoded.map(Base64URL.encode) == String(part), "a part has one spelling")
        }
        let claims = JSONValue.object(token.claims).serialized
        try require((try? JSONValue.parse(claims))?.object == token.claims, "claims that are written back are the same")
    }
}
