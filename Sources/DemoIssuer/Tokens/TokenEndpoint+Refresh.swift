internal import SwitchyardOAuth

/// What a refresh token, and a scope in a token request, is good for.
extension TokenEndpoint {
    /// The token must be of this client or of its family. One that is sent by somebody else, asks for too much or fails
    /// on request stays as it is.
    func refresh(
        _ token: String, of request: TokenRequest, _ misbehaviors: Misbehaviors
    ) throws(TokenError) -> Grant {
        let clientID = request.client.clientID
        let failsBefore = !misbehaviors.tokenAnswer.isDisjoint(with: TokenAnswerMisbehavior.keepingRefreshToken)
        let keepsIt = failsBefore || misbehaviors.tokenResponse.contains(.missingRefreshToken)
        @Sendable func isGood(_ grant: Grant) -> Bool {
            grant.clientID == clientID || clients.areFamily(grant.clientID, clientID)
        }
        let found = grants.useRefreshToken(token, keepsIt: keepsIt) { grant in
            isGood(grant) && (try? scopes(request, grant, misbehaviors)) != nil
        }
        guard let found else { throw .invalidRefreshToken }
        guard isGood(found) else {
            // Only a family has a name for this; a token of a single client is just not good.
            throw clients.traits(of: found.clientID).family == nil ? .invalidRefreshToken : .clientMismatch
        }
        return found
    }

    /// Everything that was asked for, but for what ``TokenResponseMisbehavior/fewerScopes`` takes away.
    func scopes(_ request: TokenRequest, _ grant: Grant, _ misbehaviors: Misbehaviors) throws(TokenError) -> Scopes {
        let clientID = request.client.clientID
        var scopes = grant.scopes
        if let asked = request.scopes {
            let consented = ConsentedScopes(
                grant: grant.scopes, earlier: consents.scopes(of: grant.user, for: clientID),
                preconsent: clients.traits(of: clientID).preconsent)
            guard let granted = consented.granted(asked) else { throw .invalidScope }
            scopes = granted
        }
        let names = scopes.names
        let lastResource = names.lastIndex { !Scopes.reserved.contains($0) && !Misbehaviors.isRequested(byScope: $0) }
        guard misbehaviors.tokenResponse.contains(.fewerScopes), let lastResource else { return scopes }
        return Scopes(parsing: (names[..<lastResource] + names[(lastResource + 1)...]).joined(separator: " "))
    }
}
