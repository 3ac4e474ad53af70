internal import SwitchyardClient
internal import SwitchyardGateway
internal import SwitchyardTokenStorage

extension KeepingProblem {
    static func noIDToken(at issuer: String) -> KeepingProblem {
        KeepingProblem(
            .noIDToken, "the issuer gave no ID token, so the account of the tokens is unknown",
            remedy: "ask for the scope openid, or write account: at the issuer \"\(issuer)\" if it makes no ID tokens")
    }

    static func slow(_ time: Duration) -> KeepingProblem {
        KeepingProblem(.slow, "the storage has not answered within \(time)", remedy: "look for what comes of it")
    }

    init(_ error: AuthenticationError) {
        guard let error = error.underlyingError as? TokenStorageError else {
            self.init(.unusable, error.message, remedy: "look at the app's registration and at the issuer")
            return
        }
        self.init(error)
    }

    init(_ error: TokenStorageError) {
        let reason: Reason =
            switch error.kind {
            case .locked: .locked
            case .unavailable: .unavailable
            case .denied: .denied
            case .tooLarge: .tooLarge
            case .corrupt: .unreadable
            default: .failed
            }
        self.init(reason, error.message, remedy: error.remedy)
    }
}
