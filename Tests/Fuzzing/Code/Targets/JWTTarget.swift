import SwitchyardCrypto
import SwitchyardJOSE
import SwitchyardJSON

@testable import SwitchyardOAuth

/// Signed tokens in compact serialization, ID tokens and authorization responses (JARM), before their signature is
/// looked at.
enum JWTTarget {
    static func check(_ bytes: [UInt8]) throws(BrokenInvariant) {
        let text = String(decoding: bytes, as: UTF8.self)
        try checkToken(text)
        try checkResponse(text)
    }

    private static func checkToken(_ text: String) throws(BrokenInvariant) {
        guard let token = try? UnverifiedJWT.parse(text) else { return }
        try require(token.compact.utf8.elementsEqual(text.utf8), "a token is kept as it came")
        try require(text.utf8.count <= UnverifiedJWT.maximumLength, "a token is bounded")
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        try require(parts.count == 3 && parts.allSatisfy { !$0.isEmpty }, "a token has three parts")
        for part in parts {
            let decoded = Base64URL.decode(String(part))
            try require(decoded.map(Base64URL.encode) == String(part), "a part has one spelling")
        }
        let claims = JSONValue.object(token.claims).serialized
        try require((try? JSONValue.parse(claims))?.object == token.claims, "claims that are written back are the same")
    }

    /// A response that carries the token: only its signed content counts, and only for its audience.
    private static func checkResponse(_ text: String) throws(BrokenInvariant) {
        let query = FormEncoding.encode([("response", text)])
        guard let signed = try? SignedResponse.parse(query: query, content: nil) else { return }
        try require(signed.token.claims["state"]?.string.map { Secret($0) } == signed.state, "the state is inside")
        try require(
            (try? SignedResponse.parse(query: query + Array("&code=a".utf8), content: nil)) == nil,
            "nothing stands beside a signed response")
        let (issuer, client) = (signed.token.claims["iss"]?.string ?? "", signed.token.claims["aud"]?.string ?? "")
        let response = try? signed.response(from: .exactly(issuer), to: client, now: 0, clockSkew: 60)
        guard let response else { return }
        try require(response.state == signed.state, "the state that was looked up is the one that is believed")
        try require(response.issuer == issuer, "the issuer is inside")
        try require(
            (try? signed.response(from: .exactly(issuer + "x"), to: client, now: 0, clockSkew: 60)) == nil,
            "another issuer's response is refused")
        try require(
            (try? signed.response(from: .exactly(issuer), to: client, now: .max - 60, clockSkew: 60)) == nil,
            "a response ends")
    }
}
