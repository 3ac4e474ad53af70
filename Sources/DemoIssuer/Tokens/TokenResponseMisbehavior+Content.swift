internal import SwitchyardHTTP
internal import SwitchyardJSON

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
        case .missingExpiresIn: response["expires_in"] = nil
        case .missingScope: response["scope"] = nil
        case .missingClientInfo: response["client_info"] = nil
        case .brokenClientInfo: response["client_info"] = "no-client-info"
        case .tokensWithError:
            response["error"] = "invalid_grant"
            response["error_description"] = "An error beside tokens."
        // How it is sent, not what it says; the scopes are narrowed before; and the mint leaves out and adds the rest.
        case .repeatedKeys, .notJSON, .noContentType, .tokensIn400, .truncated, .fewerScopes, .expiresOn,
            .missingRefreshToken, .numbersAsStrings:
            break
        }
    }
}

extension Set<TokenResponseMisbehavior> {
    /// The members after all that is wrong with them: the numbers last, since others put numbers in.
    func applied(to members: JSONObject) -> JSONObject {
        var members = members
        for misbehavior in self { misbehavior.apply(to: &members) }
        guard contains(.numbersAsStrings) else { return members }
        for (name, value) in members.members {
            if case .integer(let number) = value { members[name] = .string(String(number)) }
        }
        return members
    }

    /// The token response on the wire.
    func response(_ members: JSONObject) -> Response {
        var content = JSONValue.object(members).serialized
        if contains(.repeatedKeys) { content = content.dropLast() + #","access_token":"another"}"#.utf8 }
        let body: Response.Body = contains(.truncated) ? .half(of: content) : .bytes(content)
        var response = Response(contains(.tokensIn400) ? .badRequest : .ok, body: body)
        response.add("Cache-Control", "no-store")
        if contains(.notJSON) {
            response.add("Content-Type", "text/html")
        } else if !contains(.noContentType) {
            response.add("Content-Type", "application/json")
        }
        return response
    }
}

extension Response.Body {
    /// The connection ends in the middle of it.
    fileprivate static func half(of content: [UInt8]) -> Response.Body {
        .stream { writer throws(IncompleteBody) in
            await writer.write(Array(content.prefix(content.count / 2)))
            throw IncompleteBody()
        }
    }
}
