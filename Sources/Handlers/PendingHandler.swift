public import SwitchyardJSON
public import SwitchyardOAuth
public import SwitchyardRedemption

/// What an app that waits for its request gets: the body of `GET /v1/requests/{id}` (design 3.3).
public enum PendingHandler {
    /// In tokens mode: the token response whole, unknown members too.
    public static func answer(_ tokens: RedeemedTokens) -> JSONObject {
        var answer: JSONObject = [
            "status": "completed",
            "token_response": .object(tokens.response.members),
            "granted_scopes": names(tokens.grantedScopes),
            "declined_scopes": names(tokens.declinedScopes),
        ]
        answer["id_token_claims"] = tokens.idTokenClaims.map { .object($0) }
        return answer
    }

    /// In response mode: the callback as it came, and its parameters.
    public static func answer(callback url: String, parameters: [FormField]) -> JSONObject {
        var object = JSONObject()
        for parameter in parameters { object[parameter.name] = .string(parameter.value) }
        return ["status": "completed", "url": .string(url), "parameters": .object(object)]
    }

    /// Either of the above, sealed to the app's key.
    public static func answer(sealed jwe: String) -> JSONObject {
        ["status": "completed", "jwe": .string(jwe)]
    }

    public static func answer(_ failure: SignInFailure) -> JSONObject {
        ["status": "failed", "error": .object(failure.json)]
    }

    private static func names(_ scopes: Scopes) -> JSONValue {
        .array(scopes.names.map { .string($0) })
    }
}
