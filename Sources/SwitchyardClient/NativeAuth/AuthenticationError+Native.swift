internal import OAuth

extension AuthenticationError {
    /// A failure of a native sign-in: the numbers and suberrors say more than `invalid_grant`.
    init(native failure: SignInFailure) {
        self.init(failure)
        if failure.oauthError?.lowercased() == "invalid_request", failure.errorCodes.contains(50142) {
            code = .passwordResetRequired
        }
        guard ["invalid_grant", "user_not_found"].contains(failure.oauthError?.lowercased()) else { return }
        if failure.oauthSuberror?.lowercased() == "invalid_oob_value" {
            code = .invalidCode
        } else if failure.errorCodes.contains(50034) || failure.oauthError?.lowercased() == "user_not_found" {
            code = .userNotFound
        } else if failure.errorCodes.contains(50126) {
            code = .invalidCredentials
        } else if failure.errorCodes.contains(50142) {
            code = .passwordResetRequired
        }
    }
}
