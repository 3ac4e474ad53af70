internal import SwitchyardCrypto
internal import SwitchyardHTTP
internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardRouting

/// The responses of an agent's API.
extension Response {
    /// - Parameter grant: of a resource; nil for an app.
    init(_ token: AgentToken, of grant: ResourceGrant? = nil) {
        var body: JSONObject = [
            "access_token": .string(token.accessToken.exposedText), "token_type": .string(token.type),
            "expires_on": .integer(token.expiresOn), "granted_scopes": .texts(token.scopes),
            "account": .object(token.account.json),
        ]
        if let idToken = token.idToken {
            body["id_token"] = .string(idToken.text.exposedText)
            body["id_token_expires_on"] = .integer(idToken.expiresOn)
        }
        body["not_kept"] = token.notKept?.json
        self = .json(.ok, body.naming(grant))
    }

    /// The header fields of one call to an API.
    init(_ proof: AgentProof) {
        var body: JSONObject = ["authorization": .string(proof.authorization.exposedText)]
        body["dpop"] = proof.proof.map { .string($0.exposedText) }
        self = .json(.ok, body)
    }

    init(_ accounts: AgentAccounts) {
        var body: JSONObject = ["accounts": .array(accounts.accounts.map { .object($0.json) })]
        body["not_kept"] = accounts.notKept?.json
        self = .json(.ok, body)
    }

    init(_ refusal: AgentRefusal) {
        var body: JSONObject = [
            "error": .string(refusal.code), "error_description": .string(refusal.description),
        ]
        switch refusal.detail {
        case .none: break
        case .signIn(let proposal): body["request"] = .object(proposal.json)
        case .accounts(let accounts): body["accounts"] = .array(accounts.map { .object($0.json) })
        case .scopes(let granted, let declined):
            body["granted_scopes"] = .texts(granted)
            body["declined_scopes"] = .texts(declined)
        }
        self = .json(refusal.status, body)
        if let seconds = refusal.retryAfter { add("Retry-After", String(seconds)) }
        if refusal.status == .unauthorized { add("WWW-Authenticate", "Bearer error=\"interaction_required\"") }
    }
}

extension AgentAccount {
    fileprivate var json: JSONObject {
        var object: JSONObject = ["id": .string(id)]
        object["username"] = username.map { .string($0) }
        object["name"] = name.map { .string($0) }
        object["environment"] = .string(environment)
        object["tenant_id"] = tenantID.map { .string($0) }
        return object
    }
}

extension SignInProposal {
    fileprivate var json: JSONObject {
        var object: JSONObject
        if let resource {
            object = ["resource": .string(resource.resource.text)]
            if !scope.isEmpty { object["scope"] = .string(scope.text) }
            if !resource.previous.isEmpty { object["previous_scopes"] = .string(resource.previous.text) }
            object["www_authenticate"] = resource.challenge.map { .string($0) }
        } else {
            object = ["app": .string(app.text), "scope": .string(scope.text)]
        }
        object["login_hint"] = loginHint.map { .string($0) }
        object["claims"] = claims.map { .string($0) }
        object["acr_values"] = stepUp?.acrValues.map { .string($0) }
        object["max_age"] = stepUp?.maxAge.map { .integer($0) }
        return object
    }
}

extension KeepingProblem {
    fileprivate var json: JSONValue { .string("\(detail); \(remedy)") }
}

extension JSONValue {
    fileprivate static func texts(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }
}
