internal import SwitchyardHTTP
internal import SwitchyardJSON

/// In the token response (RFC 6749 section 5.1) and in how it is sent.
enum TokenResponseMisbehavior: String, Sendable, CaseIterable {
    /// Does not grant the last of the resource scopes that were asked for.
    case fewerScopes = "fewer_scopes"

    case missingTokenType = "missing_token_type"
    case wrongTokenType = "wrong_token_type"
    /// The type `mac`, which wants another use of the token.
    case macTokenType = "mac_token_type"
    case missingAccessToken = "missing_access_token"
    case emptyAccessToken = "empty_access_token"
    /// The access token is a number.
    case accessTokenNumber = "access_token_number"
    /// The lifetime as a string, as some issuers send it.
    case expiresInString = "expires_in_string"
    case expiresInNegative = "expires_in_negative"
    /// A lifetime of 300 million years.
    case expiresInHuge = "expires_in_huge"
    /// A lifetime that fits into no integer.
    case expiresInOverflow = "expires_in_overflow"
    case missingExpiresIn = "missing_expires_in"
    /// The time of the expiry stands beside the lifetime, in seconds since 1970, as older issuers send it.
    case expiresOn = "expires_on"
    /// Every number is a string.
    case numbersAsStrings = "numbers_as_strings"
    case missingScope = "missing_scope"

    /// No refresh token comes; the one that was used stays good.
    case missingRefreshToken = "no_refresh_token"
    /// No `client_info`, although it was asked for.
    case missingClientInfo = "no_client_info"
    /// A `client_info` that cannot be read.
    case brokenClientInfo = "broken_client_info"

    /// An error stands beside the tokens.
    case tokensWithError = "tokens_with_error"
    /// `access_token` stands in the object twice.
    case repeatedKeys = "repeated_keys"
    /// The token response is called `text/html`.
    case notJSON = "not_json"
    /// It is not called anything.
    case noContentType = "no_content_type"
    /// The status is 400.
    case tokensIn400 = "tokens_in_400"
    /// The connection ends in the middle of the content.
    case truncated
}

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
        .stream { writer throws(IncompleteBodyError) in
            await writer.write(Array(content.prefix(content.count / 2)))
            throw IncompleteBodyError()
        }
    }
}
