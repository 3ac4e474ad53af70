internal import SwitchyardCrypto
public import SwitchyardJOSE
internal import SwitchyardJSON

/// How authorization requests are signed (RFC 9101): the key, and the issuer that they are for.
public struct RequestSigning: Sendable {
    let key: SigningKey
    let issuer: String
    let announced: [String]
    /// When the sign-in ends, in seconds since 1970.
    let expires: Int64

    public init(with key: SigningKey, for metadata: IssuerMetadata, expires: Int64) {
        self.key = key
        issuer = metadata.issuer
        announced = metadata.requestSigningAlgorithms
        self.expires = expires
    }

    /// The claims about the object itself. No parameter may stand in their place, and `sub` stays out: the object must
    /// never pass for a client assertion (RFC 9101 section 10.8).
    private static let ownClaims: Set<String> = ["iss", "aud", "sub", "iat", "nbf", "exp", "jti"]
    /// The parameters whose values are JSON in text.
    private static let structured: Set<String> = ["max_age", "claims", "authorization_details"]

    /// A signed object with the parameters (RFC 9101 section 4); nil only when memory is short.
    func object(_ parameters: [(String, String)], of clientID: String, now: Int64) -> String? {
        var claims: JSONObject = [
            "iss": .string(clientID), "aud": .string(issuer), "iat": .integer(now), "nbf": .integer(now),
            "exp": .integer(expires), "jti": .string(Random.token(byteCount: 16)),
        ]
        for (name, text) in parameters where !Self.ownClaims.contains(name) {
            let value = Self.value(of: name, text)
            switch claims[name] {
            case nil: claims[name] = value
            // A parameter that may come twice, such as `resource` (RFC 8707 section 2).
            case .array(let earlier)?: claims[name] = .array(earlier + [value])
            case let earlier?: claims[name] = .array([earlier, value])
            }
        }
        return key.sign(claims, type: "oauth-authz-req+jwt", announced: announced)
    }

    private static func value(of name: String, _ text: String) -> JSONValue {
        guard structured.contains(name), let value = try? JSONValue.parse(Array(text.utf8)) else {
            return .string(text)
        }
        return value
    }
}
