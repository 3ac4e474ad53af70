/// What an app sends to the token endpoint to end a sign-in by itself.
struct NativeProof: Sendable {
    enum Evidence: Sendable {
        case password(String)
        case code(String)
        case secondCode(String)
        /// What came before is enough.
        case none
    }

    let continuationToken: String
    /// Must be the one that the sign-in began with, if it is sent again.
    let username: String?
    let evidence: Evidence

    /// What this comes to for a sign-in that the continuation token stands for.
    func move(_ session: NativeSession) -> NativeSession.Move {
        if let username, DemoUser(named: username).username != session.user.person.username {
            return .refuse(.invalidContinuationToken)
        }
        switch (session.step, evidence) {
        case (.password, .password(let text)): return move(session, password: text)
        case (.code(let right), .code(let text)), (.secondCode(let right), .secondCode(let text)):
            return OneTimeCode.isEqual(right, text) ? .finish : .refuse(.wrongCode)
        case (.ready, .none): return .finish
        default: return .refuse(.invalidContinuationToken)
        }
    }

    private func move(_ session: NativeSession, password: String) -> NativeSession.Move {
        guard session.user.isPassword(password) else { return .refuse(.wrongPassword) }
        switch session.user.way {
        case .password: return .finish
        case .mfa: return session.handlesSecondFactor ? .proceed(.secondFactor) : .redirect
        case .reset: return .refuse(.passwordResetRequired)
        case .code, .redirect: return .refuse(.invalidContinuationToken)
        }
    }
}
