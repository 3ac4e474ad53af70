/// The errors of native authentication, with Microsoft's numbers.
extension TokenError {
    static let noNativeSignIns = TokenError("invalid_request", "Native authentication is at the address of one tenant.")
    static let unsupportedChallengeType = TokenError(
        "unsupported_challenge_type", "The challenge_type must hold redirect, and nothing that is unknown.")
    static let unknownUser = TokenError("invalid_grant", "Nobody has this username.", codes: [50034])
    static let wrongPassword = TokenError("invalid_grant", "The password is wrong.", codes: [50126])
    static let passwordResetRequired = TokenError("invalid_request", "The password has to be changed.", codes: [50142])
    static let wrongCode = TokenError(
        "invalid_grant", "The code is wrong.", suberror: "invalid_oob_value", codes: [50181])
    static let secondFactorRequired = TokenError(
        "invalid_grant", "A second factor is required.", suberror: "mfa_required", codes: [50076])
    static let unknownSecondFactor = TokenError("invalid_request", "The id is of no second factor.")
    static let invalidContinuationToken = TokenError(
        "invalid_grant", "The continuation_token is unknown, expired, used, of another client or of another step.")
}
