internal import SwitchyardJOSE

/// The exact cause of a failure, in the gateway's own words, for codes with several causes. The log and histories show
/// it as `cause`.
public enum SignInObstacle: Hashable, Sendable {
    case named(Name)
    /// The issuer answered with an HTTP status that the protocol does not know there.
    case status(Int)

    public enum Name: String, CaseIterable, Sendable {
        // No answer came.
        case offline
        case connectionRefused = "connection_refused"
        case proxyRefused = "proxy_refused"
        case forbiddenAddress = "forbidden_address"
        case timedOut = "timed_out"
        case interrupted
        case certificateExpired = "certificate_expired"
        case certificateNotYetValid = "certificate_not_yet_valid"
        case certificateUntrusted = "certificate_untrusted"
        case certificateWrongName = "certificate_wrong_name"
        case certificateOther = "certificate_other"
        case unsendable
        // The answer breaks the protocol.
        case wrongAnswer = "wrong_answer"
        // The ID token does not pass.
        case idTokenMissing = "id_token_missing"
        case idTokenUnreadable = "id_token_unreadable"
        case idTokenEncrypted = "id_token_encrypted"
        case idTokenUndecryptable = "id_token_undecryptable"
        case idTokenNotEncrypted = "id_token_not_encrypted"
        case idTokenIncomplete = "id_token_incomplete"
        case idTokenAlgorithm = "id_token_algorithm"
        case idTokenNoKey = "id_token_no_key"
        case idTokenWrongSignature = "id_token_signature"
        case idTokenWrongIssuer = "id_token_wrong_issuer"
        case idTokenWrongTenant = "id_token_wrong_tenant"
        case idTokenWrongAudience = "id_token_wrong_audience"
        case idTokenExpired = "id_token_expired"
        case idTokenFromFuture = "id_token_from_future"
        case idTokenWrongNonce = "id_token_wrong_nonce"
        case idTokenWrongHash = "id_token_wrong_hash"
        case idTokenWrongContext = "id_token_wrong_acr"
        case idTokenOldAuthentication = "id_token_old_auth_time"
    }

    private static let statusPrefix = "status_"

    /// One word for logs: `certificate_expired`, `status_404`.
    public var label: String {
        switch self {
        case .named(let name): name.rawValue
        case .status(let status): "\(Self.statusPrefix)\(status)"
        }
    }

    /// nil for an unknown word.
    public init?(label: String) {
        if let name = Name(rawValue: label) {
            self = .named(name)
        } else if label.hasPrefix(Self.statusPrefix), label.utf8.count == Self.statusPrefix.utf8.count + 3,
            let status = Int(label.dropFirst(Self.statusPrefix.count)), (100...999).contains(status)
        {
            self = .status(status)
        } else {
            return nil
        }
    }
}

extension IDTokenError.Reason {
    public var obstacle: SignInObstacle.Name {
        switch self {
        case .unreadable(.encrypted): .idTokenEncrypted
        case .unreadable(.undecryptable): .idTokenUndecryptable
        case .unreadable(.notEncrypted): .idTokenNotEncrypted
        case .unreadable: .idTokenUnreadable
        case .missingClaim: .idTokenIncomplete
        case .wrongIssuer: .idTokenWrongIssuer
        case .tenantNotAllowed: .idTokenWrongTenant
        case .wrongAudience, .wrongAuthorizedParty: .idTokenWrongAudience
        case .expired: .idTokenExpired
        case .notYetValid: .idTokenFromFuture
        case .wrongNonce: .idTokenWrongNonce
        case .wrongAccessTokenHash, .wrongCodeHash: .idTokenWrongHash
        case .wrongAuthenticationContext: .idTokenWrongContext
        case .authenticationTooOld: .idTokenOldAuthentication
        }
    }
}
