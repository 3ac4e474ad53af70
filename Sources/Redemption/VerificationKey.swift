internal import SwitchyardCrypto
internal import SwitchyardJSON

/// A public key of an issuer that may verify signatures (RFC 7517).
struct VerificationKey: Hashable, Sendable {
    enum Kind: Sendable {
        case rsa, p256, p384, p521
    }

    let id: String?
    let kind: Kind
    /// The one algorithm that the key is for; nil when it does not say.
    let algorithm: String?
    /// The key as a JWK with what a public key needs and nothing else.
    let jwk: [UInt8]

    /// nil for a key that is for something else, or that is too weak: `use` must be `sig` and `key_ops` hold `verify`
    /// where they stand, RSA has 2048 to 16384 bits, and an elliptic curve is one of NIST's three.
    init?(_ json: JSONObject) {
        guard json["use"] == nil || json["use"] == "sig" else { return nil }
        if let operations = json["key_ops"] {
            guard operations.array?.contains("verify") ?? false else { return nil }
        }
        guard let kind = Self.kind(of: json) else { return nil }
        self.kind = kind
        id = json["kid"]?.string
        algorithm = json["alg"]?.string
        var jwk = JSONObject()
        for name in kind == .rsa ? ["kty", "n", "e"] : ["kty", "crv", "x", "y"] { jwk[name] = json[name] }
        self.jwk = JSONValue.object(jwk).serialized
    }

    /// Whether a signature with this algorithm may be checked with this key.
    func fits(_ algorithm: SigningAlgorithm) -> Bool {
        kind == algorithm.keyKind && (self.algorithm == nil || self.algorithm == algorithm.rawValue)
    }

    private static func kind(of json: JSONObject) -> Kind? {
        switch (json["kty"]?.string, json["crv"]?.string) {
        case ("RSA", _): (2048...16_384).contains(modulusBits(json)) ? .rsa : nil
        case ("EC", "P-256"): .p256
        case ("EC", "P-384"): .p384
        case ("EC", "P-521"): .p521
        default: nil
        }
    }

    private static func modulusBits(_ json: JSONObject) -> Int {
        let modulus = (json["n"]?.string).flatMap { Base64URL.decode($0) } ?? []
        let significant = modulus.drop { $0 == 0 }
        guard let first = significant.first else { return 0 }
        return significant.count * 8 - first.leadingZeroBitCount
    }
}
