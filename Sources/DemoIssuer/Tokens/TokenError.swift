package import SwitchyardHTTP
package import SwitchyardJSON

/// An error answer of the token endpoint (RFC 6749 section 5.2).
package struct TokenError: Error, Sendable {
    let error: String
    let description: String
    package var status = Status.badRequest
    /// As Microsoft's issuers say it more exactly.
    var suberror: String?
    /// Microsoft's numbers, the most exact one first.
    var codes: [Int64] = []

    static let notAForm = TokenError("invalid_request", "The content must be application/x-www-form-urlencoded.")
    package static let noClient = TokenError("invalid_client", "The request names no client.", status: .unauthorized)
    static let wrongSecret = TokenError("invalid_client", "The client is not authenticated.", status: .unauthorized)
    static let twoAuthentications = TokenError("invalid_request", "The client authenticates in more than one way.")
    package static let unsupportedGrantType = TokenError(
        "unsupported_grant_type", "The grant_type is none that is known here.")
    static let invalidCode = TokenError("invalid_grant", "The code is unknown, expired, used or of another client.")
    static let wrongVerifier = TokenError("invalid_grant", "The code_verifier does not belong to the code_challenge.")
    static let invalidRefreshToken = TokenError(
        "invalid_grant", "The refresh token is unknown, expired, used or of another client.")
    static let clientMismatch = TokenError(
        "invalid_grant", "The refresh token is of a family that the client is not in.", suberror: "client_mismatch")
    static let invalidScope = TokenError("invalid_scope", "The scope has something that nobody has consented to.")
    static let invalidClaims = TokenError("invalid_request", "The parameter claims is no JSON object.")
    package static let serverError = TokenError("server_error", "The issuer failed.", status: .internalServerError)

    package init(
        _ error: String, _ description: String, status: Status = .badRequest, suberror: String? = nil,
        codes: [Int64] = []
    ) {
        self.error = error
        self.description = description
        self.status = status
        self.suberror = suberror
        self.codes = codes
    }

    package static func missing(_ parameter: String) -> TokenError {
        TokenError("invalid_request", "The parameter \(parameter) is missing.")
    }

    static func unreadable(_ problem: RequestParameters.ReadingError) -> TokenError {
        TokenError("invalid_request", problem.rawValue)
    }

    package var members: JSONObject {
        var members: JSONObject = ["error": .string(error), "error_description": .string(description)]
        members["suberror"] = suberror.map { .string($0) }
        if !codes.isEmpty { members["error_codes"] = .array(codes.map { .integer($0) }) }
        return members
    }

    package var response: Response { response(members) }

    /// - Parameter members: those of the error, and more.
    package func response(_ members: JSONObject) -> Response {
        var response = Response.json(status, .object(members))
        // RFC 9110 section 15.5.2: a 401 names a challenge.
        if status == .unauthorized { response.add("WWW-Authenticate", "Basic realm=\"token\"") }
        return response
    }
}
