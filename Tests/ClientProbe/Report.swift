internal import SwitchyardClient
internal import SwitchyardJSON

/// The library's results as JSON.
enum Report {
    static func result(_ result: AuthenticationResult) -> JSONObject {
        var object: JSONObject = [
            "access_token": .string(result.accessToken), "scopes": strings(result.scopes),
            "expires_on": .integer(result.expiresOn.secondsSince1970),
            "bound": .bool(result.isBound), "token_type": .string(result.tokenType),
            "extended": .bool(result.isExtendedLifetimeToken), "account": .object(account(result.account)),
            "description": .string("\(result)"),
        ]
        object["id_token"] = result.idToken.map { .string($0) }
        object["tenant"] = result.tenantID.map { .string($0) }
        return object
    }

    static func account(_ account: Account) -> JSONObject {
        var object: JSONObject = [
            "identifier": .string(account.identifier), "environment": .string(account.environment),
            "claims": (try? JSONValue.parse(Array(account.claims.json.utf8))) ?? .null,
        ]
        object["username"] = account.username.map { .string($0) }
        object["name"] = account.name.map { .string($0) }
        return object
    }

    static func error(_ error: AuthenticationError) -> JSONObject {
        var object: JSONObject = [
            "code": .string(error.code.rawValue), "message": .string(error.message),
            "msal_code": .integer(Int64(error.msalCode)), "declined": strings(error.declinedScopes),
            "granted": strings(error.grantedScopes), "throttled": .bool(error.isFromThrottling),
            "description": .string("\(error)"), "remedy": .string(error.remedy),
        ]
        object["username"] = error.username.map { .string($0) }
        object["home_account_id"] = error.homeAccountID.map { .string($0) }
        object["internal"] = error.internalCode.map { .string($0.rawValue) }
        object["msal_internal"] = error.msalInternalCode.map { .integer(Int64($0)) }
        object["oauth_error"] = error.oauthError.map { .string($0) }
        object["suberror"] = error.oauthSuberror.map { .string($0) }
        object["sts"] = .array(error.stsErrorCodes.map { .integer($0) })
        object["http_status"] = error.httpStatus.map { .integer(Int64($0)) }
        object["retry_after"] = error.retryAfter.map { .integer(Int64($0)) }
        object["claims"] = error.claims.map { .string($0.json) }
        object["correlation_id"] = error.correlationID.map { .string($0) }
        object["result"] = error.result.map { .object(result($0)) }
        return object
    }

    private static func strings(_ values: [String]) -> JSONValue {
        .array(values.map { .string($0) })
    }
}
