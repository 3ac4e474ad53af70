internal import SwitchyardCrypto
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardRedemption

/// The steps of a native sign-in: initiate, challenge, introspect, token.
struct NativeFlow: Sendable {
    let core: ClientCore
    /// Without the reserved ones.
    let scopes: Scopes

    func begin(username: String, password: Secret?) async throws(AuthenticationError) -> NativeSignIn {
        let begun = try await NativeEndpoints(core).call(
            "initiate",
            [
                FormField("username", username), FormField("challenge_type", Self.challengeTypes),
                FormField("capabilities", "mfa_required"),
            ])
        if begun["challenge_type"]?.string == "redirect" { return browserRequired(begun, username) }
        return try await challenge(
            try Self.continuationToken(begun), methodID: nil, isSecondFactor: false, password: password,
            username: username)
    }

    /// Asks the issuer for the next proof, and sends the password if it is that.
    func challenge(
        _ token: Secret, methodID: String?, isSecondFactor: Bool, password: Secret?, username: String? = nil
    ) async throws(AuthenticationError) -> NativeSignIn {
        var fields = [
            FormField("continuation_token", token.exposedText), FormField("challenge_type", Self.challengeTypes),
        ]
        if let methodID { fields.append(FormField("id", methodID)) }
        let answer = try await NativeEndpoints(core).call("challenge", fields)
        switch answer["challenge_type"]?.string {
        case "redirect": return browserRequired(answer, username)
        case "oob":
            if password != nil { core.log.warning("the issuer wants a code although a password was given") }
            let step = NativeCodeRequired(
                sentTo: answer["challenge_target_label"]?.string, channel: answer["challenge_channel"]?.string,
                codeLength: answer["code_length"]?.integer.map { Int(clamping: $0) }, flow: self,
                continuationToken: try Self.continuationToken(answer), isSecondFactor: isSecondFactor)
            return NativeSignIn(.codeRequired(step))
        case "password":
            guard let password else {
                throw AuthenticationError(
                    .invalidCredentials, .invalidParameter, "the issuer wants a password, and none was given")
            }
            return try await exchange(
                "password", "password", password, try Self.continuationToken(answer), username: username)
        default:
            throw AuthenticationError(
                .invalidResponse, .invalidResponse, "the issuer asks for something that is not known here")
        }
    }

    func submit(
        _ code: Secret, _ token: Secret, isSecondFactor: Bool
    ) async throws(AuthenticationError) -> NativeSignIn {
        try await exchange(isSecondFactor ? "mfa_oob" : "oob", "oob", code, token, username: nil)
    }

    // MARK: Tokens

    private func exchange(
        _ grantType: String, _ field: String, _ proof: Secret, _ token: Secret, username: String?
    ) async throws(AuthenticationError) -> NativeSignIn {
        var fields = [(field, proof), ("continuation_token", token)]
        if let username { fields.append(("username", Secret(username))) }
        switch try await grant(grantType, fields) {
        case .success(let grant):
            let result = try await core.accept(grant, authority: core.settings.authority)
            return NativeSignIn(completed: NativeAccount(account: result.account, result: result))
        case .failure(let failure):
            if failure.wantsBrowser { return browserRequired([:], username) }
            guard let further = failure.continuationToken, failure.oauthSuberror == "mfa_required" else {
                throw AuthenticationError(native: failure)
            }
            return try await secondFactor(further)
        }
    }

    private func grant(
        _ grantType: String, _ fields: [(String, Secret)]
    ) async throws(AuthenticationError) -> Result<TokenGrant, SignInFailure> {
        let authority = core.settings.authority
        let sent = ScopeRules.sent(scopes, core.settings)
        var parameters = [FormField("client_info", "true")]
        if let claims = core.settings.claims(nil) { parameters.append(FormField("claims", claims.json)) }
        var request = RedemptionRequest(
            .other(type: grantType, fields: fields.map { (name: $0.0, value: $0.1) }),
            expecting: TokenExpectations(
                issuer: core.issuer(for: authority), clientID: core.settings.clientID, requestedScopes: sent,
                tenants: authority.tenants),
            authentication: try await core.authentication(), parameters: parameters)
        request.binding = try core.bindingKey().map { .key($0) }
        let (redeemer, scopes, automatic) = (core.runtime.redeemer, scopes, core.settings.automaticScopes)
        let task = Task(executorPreference: core.runtime.loop) {
            [request] () async -> Result<TokenGrant, SignInFailure> in
            do throws(SignInFailure) {
                return .success(
                    TokenGrant(
                        try await redeemer.redeem(request), requested: scopes, automatic: automatic,
                        correlationID: nil))
            } catch {
                return .failure(error)
            }
        }
        return await task.value
    }

    private func secondFactor(_ token: Secret) async throws(AuthenticationError) -> NativeSignIn {
        let answer = try await NativeEndpoints(core).call(
            "introspect", [FormField("continuation_token", token.exposedText)])
        if answer["challenge_type"]?.string == "redirect" { return browserRequired(answer, nil) }
        let methods = (answer["methods"]?.array ?? []).compactMap(\.object).compactMap { method in
            method["id"]?.string.map {
                NativeMFARequired.Method(
                    id: $0, channel: method["challenge_channel"]?.string, hint: method["login_hint"]?.string)
            }
        }
        let step = NativeMFARequired(
            methods: methods, flow: self, continuationToken: try Self.continuationToken(answer))
        return NativeSignIn(.mfaRequired(step))
    }

    // MARK: Parts

    /// The challenge types that this library can answer. `redirect` is always last: an issuer must be able to ask for
    /// the browser.
    static let challengeTypes = "password oob redirect"

    private func browserRequired(_ answer: JSONObject, _ username: String?) -> NativeSignIn {
        NativeSignIn(
            .browserRequired(
                NativeBrowserRequired(reason: answer["redirect_reason"]?.string, flow: self, username: username)))
    }

    private static func continuationToken(_ answer: JSONObject) throws(AuthenticationError) -> Secret {
        guard let token = answer["continuation_token"]?.string, !token.isEmpty else {
            throw AuthenticationError(.invalidResponse, .invalidResponse, "the issuer gives no continuation_token")
        }
        return Secret(token)
    }
}
