internal import SwitchyardCrypto
internal import SwitchyardJSON

extension IDTokenMisbehavior {
    private static let stranger = JSONValue.string("another-client")

    /// Makes the claims of an ID token wrong, if that is what this misbehavior does.
    /// - Parameter now: seconds since 1970.
    func apply(to claims: inout JSONObject, clientID: String, now: Int64) {
        switch self {
        case .wrongIssuer: claims["iss"] = "https://issuer.invalid"
        case .missingIssuer: claims["iss"] = nil
        case .wrongAudience: claims["aud"] = Self.stranger
        case .missingAudience: claims["aud"] = nil
        case .severalAudiences: claims["aud"] = [.string(clientID), Self.stranger]
        case .severalAudiencesWithParty:
            claims["aud"] = [.string(clientID), Self.stranger]
            claims["azp"] = .string(clientID)
        case .wrongParty: claims["azp"] = Self.stranger
        case .missingSubject: claims["sub"] = nil
        case .expired:
            claims["iat"] = .integer(now - 7200)
            claims["exp"] = .integer(now - 3600)
        case .missingExpiry: claims["exp"] = nil
        case .future:
            claims["iat"] = .integer(now + 3600)
            claims["exp"] = .integer(now + 7200)
        case .missingIssueTime: claims["iat"] = nil
        case .wrongNonce: claims["nonce"] = .string(Random.token())
        case .missingNonce: claims["nonce"] = nil
        case .wrongAccessTokenHash: claims["at_hash"] = .string(Random.token(byteCount: 16))
        case .wrongCodeHash: claims["c_hash"] = .string(Random.token(byteCount: 16))
        // The mint needs the code for this one.
        case .codeHash: break
        case .wrongSignature, .algNone, .algNoneSigned, .hmacWithPEM, .hmacWithJWK, .unpublishedKey, .missingKeyID,
            .unknownKeyID, .absent, .noJWT, .rotatesKeys, .replacesKeys:
            break
        }
    }
}
