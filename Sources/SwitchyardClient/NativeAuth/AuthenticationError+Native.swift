internal import SwitchyardOAuth

extension AuthenticationError {
    /// A failure of a native sign-in: the numbers and suberrors say more than `invalid_grant`.
    init(native failure: SignInFailure) {
        self.init(failure)
        if failure.oauthError?.text.lowercased() == "invalid_request", failure.errorCodes.contains(50142) {
            code = .passwordResetRequired
        }
        // The first number decides; the others are what led to it.
        let reason = failure.errorCodes.first
        guard ["invalid_grant", "user_not_found"].contains(failure.oauthError?.text.lowercased()) else { return }
        if failure.oauthSuberror?.text.lowercased() == "invalid_oob_value" {
            code = .invalidCode
        } else if reason == 50034 || failure.oauthError?.text.lowercased() == "user_not_found" {
            code = .userNotFound
        } else if reason == 50126 {
            code = .invalidCredentials
        } else if reason == 50142 {
            code = .passwordResetRequired
        }
    }
}
