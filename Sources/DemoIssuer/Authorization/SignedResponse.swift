internal import SwitchyardCrypto
internal import SwitchyardJSON
internal import SwitchyardReactor

/// An authorization response as one JWT (JWT Secured Authorization Response Mode, section 2).
struct SignedResponse {
    /// The response's own, `iss` among them.
    let parameters: [(String, String)]
    let clientID: String
    let misbehaviors: Set<SignedResponseMisbehavior>

    /// Seconds for which the JWT is good; section 2.1 recommends ten minutes at most.
    private static let lifetime: Int64 = 600

    /// What is sent instead of the parameters: `response`, and nothing else.
    /// - Throws: ``DemoIssuerError/signing(reason:)``.
    func parameters(_ signer: JWTSigner) throws(DemoIssuerError) -> [(String, String)] {
        if misbehaviors.contains(.plain) { return parameters }
        if misbehaviors.contains(.encrypted) { return [("response", Self.encryptedLooking())] }
        return [("response", try signer.sign(claims, misbehaviors.lazy.compactMap(\.signature).first ?? .honest))]
    }

    private var claims: JSONObject {
        var claims = JSONObject()
        for (name, value) in parameters { claims[name] = .string(value) }
        let now = WallClock.seconds()
        claims["aud"] = .string(clientID)
        claims["exp"] = .integer(now + Self.lifetime)
        for misbehavior in misbehaviors {
            switch misbehavior {
            case .wrongIssuer: claims["iss"] = "https://issuer.invalid"
            case .wrongAudience: claims["aud"] = "another-client"
            case .expired: claims["exp"] = .integer(now - 3600)
            case .missingExpiry: claims["exp"] = nil
            case .wrongState: claims["state"] = .string(Random.token())
            case .plain, .encrypted, .wrongSignature, .algNone, .hmac, .unpublishedKey: break
            }
        }
        return claims
    }

    /// The shape of a JWE in compact serialization (RFC 7516 section 3.1), with nothing in it.
    private static func encryptedLooking() -> String {
        let header = Base64URL.encode(Array(#"{"alg":"ECDH-ES","enc":"A256GCM"}"#.utf8))
        // The key that ECDH-ES agrees on is not sent, so that part is empty.
        let parts = [
            header, "", Random.token(byteCount: 12), Random.token(byteCount: 256), Random.token(byteCount: 16),
        ]
        return parts.joined(separator: ".")
    }
}
