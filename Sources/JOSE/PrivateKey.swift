public import SwitchyardCrypto
internal import SwitchyardJSON

/// The fresh P-256 key of an app, for one sign-in: it opens what was sealed to its public part, and signs proofs.
/// Safe from any thread.
public struct PrivateKey: Sendable {
    private let pair: KeyPair

    public var publicKey: PublicKey { PublicKey(pair.publicKey) }

    /// nil when OpenSSL cannot make one.
    public init?() {
        guard let pair = KeyPair(generating: .ec(.p256)) else { return nil }
        self.pair = pair
    }

    /// Reads the form of ``exported``, mostly in another process; nil for anything else.
    public init?(exported: Secret) {
        guard var json = (try? JSONValue.parse(exported.exposedBytes))?.object,
            let scalar = json["d"]?.string.flatMap({ Base64URL.decode($0) }), scalar.count == Curve.p256.size
        else { return nil }
        json["d"] = nil
        guard let numbers = try? PublicKey(json).key.numbers, case .ec(let curve, let x, let y) = numbers,
            let pair = KeyPair(curve, x: x, y: y, scalar: Secret(scalar))
        else { return nil }
        self.pair = pair
    }

    /// The whole key as a JWK. Keep it where only its owner reads. nil only when memory is short.
    public var exported: Secret? {
        guard let scalar = pair.scalar else { return nil }
        var json = publicKey.json
        json["d"] = .string(Base64URL.encode(scalar.exposedBytes))
        return Secret(JSONValue.object(json).serialized)
    }

    /// Opens a compact JWE that ``PublicKey/seal(_:)`` or its like made.
    /// - Returns: nil for another algorithm, another key, or anything that was changed on its way.
    public func open(_ compact: String) -> [UInt8]? {
        SealedResult.open(compact, with: pair)
    }

    /// A proof of possession for one HTTP request (RFC 9449 section 4.2): a compact JWS with ES256.
    /// - Parameters:
    ///   - url: without query and fragment.
    ///   - now: seconds since 1970.
    ///   - token: the token that the request carries; nil for one without a token.
    ///   - nonce: the last one that the server gave; nil without one.
    /// - Returns: nil only when memory is short.
    public func makeProof(
        method: String, url: String, now: Int64, token: String? = nil, nonce: String? = nil
    ) -> String? {
        var claims: JSONObject = [
            "jti": .string(Random.token(byteCount: 16)), "htm": .string(method), "htu": .string(url),
            "iat": .integer(now),
        ]
        claims["ath"] = token.map { .string(Base64URL.encode(SHA256Digest(of: $0).bytes)) }
        claims["nonce"] = nonce.map { .string($0) }
        let header: JSONObject = ["typ": "dpop+jwt", "jwk": .object(publicKey.json)]
        return CompactJWS.sign(JSONValue.object(claims).serialized, header: header, with: pair, .es256)
    }
}
