internal import OAuth

/// What a person has allowed a client, as a code, a refresh token or an access token stands for it.
struct Grant: Sendable {
    let clientID: String
    /// As it stood in the authorization request.
    let redirectURI: String
    let scopes: Scopes
    let nonce: String?
    /// nil when a confidential client did not send one.
    let codeChallenge: String?
    let user: DemoUser
    var misbehaviors = Misbehaviors()

    /// What the code stands for after one use: mostly nothing (RFC 6749 section 4.1.2), unless the misbehavior is a
    /// failure before the code was looked at.
    var afterUse: Grant? {
        if misbehaviors.tokenAnswer.contains(.flaky) {
            var next = self
            next.misbehaviors.tokenAnswer.remove(.flaky)
            return next
        }
        return misbehaviors.tokenAnswer.isDisjoint(with: TokenAnswerMisbehavior.keepingCode) ? nil : self
    }

    /// The same for tokens that come out of it: they behave well, and nothing of the code is needed any more.
    func forTokens(_ scopes: Scopes) -> Grant {
        Grant(
            clientID: clientID, redirectURI: redirectURI, scopes: scopes, nonce: nil, codeChallenge: nil, user: user)
    }
}
