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
    /// `c_hash`, which nobody has to send here, and right.
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
    var signature: SignatureManner? {
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

    /// What happens to the issuer's keys; nil for nothing.
    var keyChange: SigningKeys.Change? {
        switch self {
        case .rotatesKeys: .rotate
        case .replacesKeys: .replace
        default: nil
        }
    }
}
