internal import SwitchyardCrypto
internal import SwitchyardJSON

/// Makes JWTs in the issuer's name (RFC 7519), and ones that nobody should take for that.
struct JWTSigner: Sendable {
    let keys: SigningKeys

    /// The claims as a compact JWS.
    func sign(_ claims: JSONObject, _ manner: SignatureManner = .honest) throws(DemoIssuerError) -> String {
        let key = keys.current
        let payload = JSONValue.object(claims).serialized
        switch manner {
        case .honest: return try key.sign(payload, keyID: key.keyID)
        case .flippedBit: return Self.withFlippedBit(try key.sign(payload, keyID: key.keyID))
        case .unsigned: return Self.unsigned(payload)
        case .unsignedWithSignature: return Self.unsigned(payload) + Random.token()
        case .hmacWithPEM: return try mac(payload, secret: PublicKeyPEM.text(of: key.publicJWK) ?? "", key)
        case .hmacWithJWK:
            return try mac(payload, secret: String(decoding: key.publicJWK.serialized, as: UTF8.self), key)
        case .unpublishedKey: return try keys.unpublished().sign(payload, keyID: key.keyID)
        case .withoutKeyID: return try key.sign(payload, keyID: nil)
        case .unknownKeyID: return try key.sign(payload, keyID: Random.token(byteCount: 12))
        }
    }

    private func mac(_ payload: [UInt8], secret: String, _ key: SigningKey) throws(DemoIssuerError) -> String {
        try SigningKey.mac(payload, secret: Array(secret.utf8), keyID: key.keyID)
    }

    private static func unsigned(_ payload: [UInt8]) -> String {
        Base64URL.encode(Array(#"{"alg":"none"}"#.utf8)) + "." + Base64URL.encode(payload) + "."
    }

    /// The same token with one bit of its signature flipped.
    private static func withFlippedBit(_ token: String) -> String {
        guard let dot = token.lastIndex(of: "."),
            var signature = Base64URL.decode(Array(token[token.index(after: dot)...].utf8)),
            let last = signature.indices.last
        else { return token }
        signature[last] ^= 1
        return token[...dot] + Base64URL.encode(signature)
    }
}
