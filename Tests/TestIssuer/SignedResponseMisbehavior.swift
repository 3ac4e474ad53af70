internal import SwitchyardCrypto
internal import SwitchyardJSON
internal import SwitchyardReactor
import SwitchyardText

/// In the JWT that is an authorization response (JARM section 2.1). Without meaning where the response is not signed.
enum SignedResponseMisbehavior: String, Sendable, CaseIterable {
    /// The parameters come as they are, in the place where the JWT should be.
    case plain = "jarm_plain"
    case wrongSignature = "jarm_wrong_signature"
    case algNone = "jarm_alg_none"
    /// HMAC with the public key, in PEM, as the secret.
    case hmac = "jarm_hmac"
    case unpublishedKey = "jarm_unpublished_key"
    case wrongIssuer = "jarm_wrong_issuer"
    case wrongAudience = "jarm_wrong_audience"
    case expired = "jarm_expired"
    case missingExpiry = "jarm_missing_exp"
    /// The state within is another than the client's.
    case wrongState = "jarm_wrong_state"
    /// Five parts, as an encrypted response has them.
    case encrypted = "jarm_encrypted"

    /// How the JWT is signed; nil when that is not what is wrong.
    var signature: TestKeys.Manner? {
        switch self {
        case .wrongSignature: .flippedBit
        case .algNone: .unsigned
        case .hmac: .hmacWithPEM
        case .unpublishedKey: .unpublishedKey
        case .plain, .wrongIssuer, .wrongAudience, .expired, .missingExpiry, .wrongState, .encrypted: nil
        }
    }

    /// Makes the claims of the JWT wrong, if that is what this misbehavior does.
    func apply(to claims: inout JSONObject) {
        switch self {
        case .wrongIssuer: claims["iss"] = "https://issuer.invalid"
        case .wrongAudience: claims["aud"] = "another-client"
        case .expired: claims["exp"] = .integer(WallTime.now().seconds - 3600)
        case .missingExpiry: claims["exp"] = nil
        case .wrongState: claims["state"] = .string(Random.token())
        case .plain, .encrypted, .wrongSignature, .algNone, .hmac, .unpublishedKey: break
        }
    }
}
