internal import SwitchyardCrypto
internal import SwitchyardDemoIssuer
internal import SwitchyardHTTP
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardReactor
import SwitchyardText

/// The honest issuer's token endpoint. The sign-in, the request or a script changes or replaces its answers.
struct MisbehavingTokens: Sendable {
    let issuer: DemoIssuer
    let keys: TestKeys
    let wishes: SignInWishes
    let script: TokenScript
    let native: NativeGrants
    let statistics: Statistics
    /// The target of the token endpoint's redirect, if it must redirect.
    let elsewhere: @Sendable () -> String

    func respond(to request: Request, at address: IssuerAddress) async -> Response {
        statistics.count(.tokenRequests)
        do throws(TokenError) {
            let tokenRequest = try TokenRequest(request)
            guard let kind = RequestKind(grantType: tokenRequest.grantType) else { throw .unsupportedGrantType }
            let proof = try NativeProof(kind, tokenRequest.parameters)
            let own = try Self.misbehaviors(of: tokenRequest)
            let clientID = tokenRequest.client.clientID
            if case .code(let code, _, _) = tokenRequest.proof { statistics.count(redemptionOf: code) }
            statistics.count(kind, of: clientID)
            return try await script.answer(clientID, kind, request) { scripted async throws(TokenError) in
                try await answer(tokenRequest, proof, own.merging(scripted), request.connection, address)
            }
        } catch {
            return error.response
        }
    }

    /// The misbehaviors of this request alone, by the parameter `demo`, and by scopes. (Not with a code: clients repeat
    /// the scopes of the sign-in.)
    private static func misbehaviors(of request: TokenRequest) throws(TokenError) -> Misbehaviors {
        let scopes = request.grantType == RequestKind.authorizationCode.rawValue ? [] : request.scopes?.names ?? []
        guard let asked = Misbehaviors(parameter: request.parameters["demo"], scopes: scopes) else {
            throw TokenError("invalid_request", "The parameter demo, or a scope demo:, has an unknown name.")
        }
        return asked
    }

    private func answer(
        _ request: TokenRequest, _ proof: NativeProof?, _ own: Misbehaviors, _ connection: ConnectionContext,
        _ address: IssuerAddress
    ) async throws(TokenError) -> Response {
        var misbehaviors = own
        var failsFirst = !own.tokenAnswer.isDisjoint(with: TokenAnswerMisbehavior.usingNothingUp)
        if case .code(let code, _, _) = request.proof {
            let ofSignIn = wishes.take(code)
            misbehaviors = ofSignIn.merging(own)
            failsFirst = !ofSignIn.tokenAnswer.isDisjoint(with: TokenAnswerMisbehavior.usingNothingUp)
        }
        if failsFirst, let failure = await misbehaviors.tokenAnswer.answer(on: connection, elsewhere: elsewhere()) {
            return failure
        }
        let keepsRefreshToken = misbehaviors.tokenResponse.contains(.missingRefreshToken)
        let outcome: NativeGrants.Outcome
        if let proof {
            outcome = try native.settle(proof, of: request, at: address)
        } else {
            outcome = .issue(try issuer.token.settle(request, keepsRefreshToken: keepsRefreshToken))
        }
        switch outcome {
        case .answer(let response): return response
        case .issue(let issue):
            if let failure = await misbehaviors.tokenAnswer.answer(on: connection, elsewhere: elsewhere()) {
                return failure
            }
            do throws(DemoIssuerError) {
                let members = try self.members(for: issue, misbehaviors, address)
                statistics.count(.tokenResponses)
                return misbehaviors.tokenResponse.response(members)
            } catch {
                throw .serverError
            }
        }
    }

    private func members(
        for issue: TokenIssue, _ misbehaviors: Misbehaviors, _ address: IssuerAddress
    ) throws(DemoIssuerError) -> JSONObject {
        var issue = issue
        let wished = misbehaviors.tokenResponse
        let lifetimes = misbehaviors.lifetimes.seconds
        let lifetime = lifetimes[.expiresIn] ?? issue.lifetime
        // So long do resources take the token in an outage.
        issue.lifetime = max(lifetime, lifetimes[.extendedExpiresIn] ?? 0)
        issue.hasRefreshToken = !wished.contains(.missingRefreshToken)
        if wished.contains(.fewerScopes) { issue.scopes = withoutLastResource(issue.scopes) }
        var (members, claims) = issuer.token.mint.content(for: issue, at: address)
        members["expires_in"] = .integer(lifetime)
        members["refresh_in"] = lifetimes[.refreshIn].map { .integer($0) }
        members["ext_expires_in"] = lifetimes[.extendedExpiresIn].map { .integer($0) }
        if wished.contains(.expiresOn) { members["expires_on"] = .integer(WallTime.now().seconds + lifetime) }
        if let claims, !misbehaviors.idToken.contains(.absent) {
            members["id_token"] = .string(try idToken(claims, for: issue, misbehaviors.idToken))
        }
        return wished.applied(to: members)
    }

    private func idToken(
        _ claims: JSONObject, for issue: TokenIssue, _ misbehaviors: Set<IDTokenMisbehavior>
    ) throws(DemoIssuerError) -> String {
        if misbehaviors.contains(.noJWT) { return Random.token() }
        for case let change? in misbehaviors.lazy.map(\.keyChange) { try keys.apply(change) }
        var claims = claims
        if let code = issue.code, misbehaviors.contains(.codeHash) {
            claims["c_hash"] = .string(TokenMint.hash(of: code))
        }
        let now = WallTime.now().seconds
        for misbehavior in misbehaviors { misbehavior.apply(to: &claims, clientID: issue.clientID, now: now) }
        return try keys.sign(claims, misbehaviors.lazy.compactMap(\.signature).first ?? .honest)
    }

    private func withoutLastResource(_ scopes: Scopes) -> Scopes {
        var names = scopes.names
        guard let last = names.lastIndex(where: { issuer.scopeRules.resource(ofScope: $0) != nil }) else {
            return scopes
        }
        names.remove(at: last)
        return Scopes(parsing: names.joined(separator: " "))
    }
}
