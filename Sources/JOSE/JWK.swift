package import SwitchyardCrypto
package import SwitchyardJSON

extension PublicNumbers {
    /// Reads the public members of a JWK (RFC 7518 section 6, RFC 8037 section 2) and no others; nil for another kind of
    /// key, and for members of another length than the kind has.
    package init?(jwk: JSONObject) {
        switch jwk["kty"]?.string {
        case "RSA":
            guard let modulus = Self.bytes(jwk["n"]), let exponent = Self.bytes(jwk["e"]) else { return nil }
            self = .rsa(modulus: Array(modulus.drop { $0 == 0 }), exponent: Array(exponent.drop { $0 == 0 }))
        case "EC":
            guard let curve = jwk["crv"]?.string.flatMap(Curve.init), let x = Self.bytes(jwk["x"], curve.size),
                let y = Self.bytes(jwk["y"], curve.size)
            else { return nil }
            self = .ec(curve, x: x, y: y)
        case "OKP":
            guard jwk["crv"] == "Ed25519", let bytes = Self.bytes(jwk["x"], 32) else { return nil }
            self = .ed25519(bytes)
        default: return nil
        }
    }

    /// The JWK with the required members in the order of their names: its text is the input of the thumbprint
    /// (RFC 7638 section 3).
    package var jwk: JSONObject {
        func text(_ bytes: [UInt8]) -> JSONValue { .string(Base64URL.encode(bytes)) }
        return switch self {
        case .rsa(let modulus, let exponent): ["e": text(exponent), "kty": "RSA", "n": text(modulus)]
        case .ec(let curve, let x, let y): ["crv": .string(curve.rawValue), "kty": "EC", "x": text(x), "y": text(y)]
        case .ed25519(let bytes): ["crv": "Ed25519", "kty": "OKP", "x": text(bytes)]
        }
    }

    private static func bytes(_ value: JSONValue?, _ count: Int? = nil) -> [UInt8]? {
        guard let bytes = value?.string.flatMap({ Base64URL.decode($0) }), count == nil || bytes.count == count else {
            return nil
        }
        return bytes
    }
}
