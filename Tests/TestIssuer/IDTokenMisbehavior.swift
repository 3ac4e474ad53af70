internal import SwitchyardCrypto
internal import SwitchyardJSON

/// In the ID token (OpenID Connect Core section 2).
enum IDTokenMisbehavior: String, Sendable, CaseIterable {
    // The claims.
    case wrongIssuer = "wrong_issuer"
    case missingIssuer = "missing_iss"
    case wrongAudience = "wrong_audience"
    case missingAudience = "missing_aud"
    /// The client and another one, without `azp`.
    case severalAudiences = "several_audiences"
    /// The client and another one, with the client as `azp`: unusual, and right.
    case severalAudiencesWithParty = "several_audiences_with_azp"
    case wrongParty = "wrong_azp"
    case missingSubject = "missing_sub"
    case expired
    case missingExpiry = "missing_exp"
    /// Issued an hour from now.
    case future
    case missingIssueTime = "missing_iat"
    case wrongNonce = "wrong_nonce"
    case missingNonce = "missing_nonce"
    case wrongAccessTokenHash = "wrong_at_hash"
    case wrongCodeHash = "wrong_c_hash"
    /// A right `c_hash`, which is optional here.
    case codeHash = "c_hash"

    // The signature.
    case wrongSignature = "wrong_signature"
    case algNone = "alg_none"
    /// The same with something in the place of the signature.
    case algNoneSigned = "alg_none_signed"
    /// HMAC with the public key, in PEM, as the secret.
    case hmacWithPEM = "hmac_pem"
    /// HMAC with the public key, as it stands in the JWK set, as the secret.
    case hmacWithJWK = "hmac_jwk"
    case unpublishedKey = "unpublished_key"
    case missingKeyID = "missing_kid"
    case unknownKeyID = "unknown_kid"

    // The token as a whole.
    case absent = "no_id_token"
    case noJWT = "id_token_no_jwt"

    // Just before it is signed; these stay, for every sign-in after this one.
    /// A new key signs; the old ones stay published.
    case rotatesKeys = "rotate_keys"
    /// A new key signs, and it alone is published.
    case replacesKeys = "replace_keys"

    /// How the token is signed; nil when that is not what is wrong.
    var signature: TestKeys.Manner? {
        switch self {
        case .wrongSignature: .flippedBit
        case .algNone: .unsigned
        case .algNoneSigned: .unsignedWithSignature
        case .hmacWithPEM: .hmacWithPEM
        case .hmacWithJWK: .hmacWithJWK
        case .unpublishedKey: .unpublishedKey
        case .missingKeyID: .withoutKeyID
        case .unknownKeyID: .unknownKeyID
        default: nil
        }
    }

    /// The change to the issuer's keys; nil without one.
    var keyChange: TestKeys.Change? {
        switch self {
        case .rotatesKeys: .rotate
        case .replacesKeys: .replace
        default: nil
        }
    }
}

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
        // The code is needed for this one.
        case .codeHash: break
        case .wrongSignature, .algNone, .algNoneSigned, .hmacWithPEM, .hmacWithJWK, .unpublishedKey, .missingKeyID,
            .unknownKeyID, .absent, .noJWT, .rotatesKeys, .replacesKeys:
            break
        }
    }
}
