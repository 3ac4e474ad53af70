import SwitchyardCrypto
import SwitchyardJSON

@testable import SwitchyardOAuth

/// A signed authorization response as an issuer would make it. These tests do not check its signature.
enum SampleSignedResponse {
    static let now: Int64 = 1_800_000_000

    /// Claims that are right, but for `changes`; null takes one out.
    static func claims(_ changes: JSONObject = [:]) -> JSONObject {
        var claims: JSONObject = [
            "iss": "https://id.example", "aud": "app", "exp": .integer(now + 300), "code": "c0de", "state": "xyz",
        ]
        for (name, value) in changes.members { claims[name] = value == .null ? nil : value }
        return claims
    }

    static func compact(_ claims: JSONObject = claims(), header: JSONObject = ["alg": "RS256", "kid": "k1"]) -> String {
        encode(header) + "." + encode(claims) + ".AA"
    }

    static func encode(_ object: JSONObject) -> String {
        Base64URL.encode(JSONValue.object(object).serialized)
    }

    static func parse(_ compact: String) throws(AuthorizationResponseError) -> SignedResponse {
        try .parse(query: Array("response=\(compact)".utf8), content: nil)
    }

    /// The response inside, judged.
    static func response(
        _ claims: JSONObject, from issuer: ExpectedIssuer = .exactly("https://id.example")
    ) throws -> AuthorizationResponse {
        try parse(compact(claims)).response(from: issuer, to: "app", now: now, clockSkew: 60)
    }
}
