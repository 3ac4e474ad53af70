internal import SwitchyardJSON
internal import SwitchyardOAuth
internal import SwitchyardRedemption
internal import SwitchyardRouting

/// The answers to an app that waits for its request: the body of `GET /v1/requests/{id}` once the request is over.
enum AppResponse {
    /// In tokens mode: the whole token response, unknown members too, and the callback's parameters beside the code.
    static func completed(_ tokens: RedeemedTokens, _ parameters: CallbackParameters = .none) -> JSONObject {
        var answer: JSONObject = [
            "status": "completed",
            "token_response": .object(tokens.response.members),
            "granted_scopes": names(tokens.grantedScopes),
            "declined_scopes": names(tokens.declinedScopes),
        ]
        if let details = tokens.response.members["authorization_details"], details.array != nil {
            answer["authorization_details"] = details
        }
        answer["id_token_claims"] = tokens.idTokenClaims.map { .object($0) }
        answer["userinfo"] = tokens.userInfo.map { .object($0) }
        if !parameters.values.isEmpty { answer["callback_parameters"] = .object(object(parameters.values)) }
        if parameters.isCut { answer["callback_parameters_cut"] = true }
        return answer
    }

    /// With completion `response`: the callback as it came, and its parameters.
    static func completed(callback url: String, parameters: [FormField]) -> JSONObject {
        ["status": "completed", "url": .string(url), "parameters": .object(object(parameters))]
    }

    private static func object(_ parameters: [FormField]) -> JSONObject {
        var object = JSONObject()
        for parameter in parameters { object[parameter.name] = .string(parameter.value) }
        return object
    }

    /// Either of the above, sealed to the app's key.
    static func completed(sealed jwe: String) -> JSONObject {
        ["status": "completed", "jwe": .string(jwe)]
    }

    /// The app gets the callback from a handler. The beginner may be another person than the receiver, so the answer
    /// tells no more.
    static func passedOn(by handler: DeliveryName) -> [UInt8] {
        JSONValue.object(["status": "completed", "handed_over": .string(handler.rawValue)]).serialized
    }

    static func failed(_ failure: SignInFailure) -> JSONObject {
        ["status": "failed", "error": .object(failure.json)]
    }

    /// The body of a failure, as a store keeps it.
    static func body(of failure: SignInFailure) -> [UInt8] {
        JSONValue.object(failed(failure)).serialized
    }

    private static func names(_ scopes: Scopes) -> JSONValue {
        .array(scopes.names.map { .string($0) })
    }
}

extension JSONObject {
    /// Adds the data that an app needs to use a resource's tokens: the gateway has found the issuer by discovery.
    func naming(_ grant: ResourceGrant?) -> JSONObject {
        guard let grant else { return self }
        var answer = self
        answer["resource"] = .string(grant.resource)
        answer["issuer"] = .string(grant.metadata.issuer)
        answer["client_id"] = .string(grant.clientID)
        answer["token_endpoint"] = .string(grant.metadata.tokenEndpoint.text)
        return answer
    }
}
