internal import HTTP
internal import JSON

extension TokenResponseMisbehavior {
    /// Makes the members of a token response wrong, if that is what this misbehavior does.
    func apply(to response: inout JSONObject) {
        switch self {
        case .missingTokenType: response["token_type"] = nil
        case .wrongTokenType: response["token_type"] = "N_A"
        case .macTokenType: response["token_type"] = "mac"
        case .missingAccessToken: response["access_token"] = nil
        case .emptyAccessToken: response["access_token"] = ""
        case .accessTokenNumber: response["access_token"] = 1_234_567_890
        case .expiresInString: response["expires_in"] = "3600"
        case .expiresInNegative: response["expires_in"] = -1
        case .expiresInHuge: response["expires_in"] = .integer(1 << 53 - 1)
        case .expiresInOverflow: response["expires_in"] = .number(1e30)
        case .tokensWithError:
            response["error"] = "invalid_grant"
            response["error_description"] = "An error beside tokens."
        // How it is sent, not what it says; and the scopes are narrowed before.
        case .repeatedKeys, .notJSON, .noContentType, .tokensIn400, .truncated, .fewerScopes: break
        }
    }
}

extension Set<TokenResponseMisbehavior> {
    /// The token response on the wire.
    func response(_ members: JSONObject) -> Response {
        var content = JSONValue.object(members).serialized
        if contains(.repeatedKeys) { content = content.dropLast() + #","access_token":"another"}"#.utf8 }
        var response = Response(contains(.tokensIn400) ? .badRequest : .ok, body: .bytes(content))
        response.add(lines: "Cache-Control: no-store\r\n")
        if contains(.notJSON) {
            response.add(lines: "Content-Type: text/html\r\n")
        } else if !contains(.noContentType) {
            response.add(lines: "Content-Type: application/json\r\n")
        }
        response.isCutShort = contains(.truncated)
        return response
    }
}
