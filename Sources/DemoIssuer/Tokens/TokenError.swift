internal import HTTP
internal import JSON

/// An error answer of the token endpoint (RFC 6749 section 5.2).
struct TokenError: Error, Sendable {
    private let error: String
    private let description: String
    private let status: Status

    private init(_ error: String, _ description: String, status: Status = .badRequest) {
        self.error = error
        self.description = description
        self.status = status
    }

    static let notAForm = TokenError("invalid_request", "The content must be application/x-www-form-urlencoded.")
    static let noClient = TokenError("invalid_client", "The request names no client.", status: .unauthorized)
    static let wrongSecret = TokenError("invalid_client", "The client is not authenticated.", status: .unauthorized)
    static let twoAuthentications = TokenError("invalid_request", "The client authenticates in more than one way.")
    static let unsupportedGrantType = TokenError(
        "unsupported_grant_type", "The grant_type must be authorization_code or refresh_token.")
    static let invalidCode = TokenError("invalid_grant", "The code is unknown, expired, used or of another client.")
    static let wrongVerifier = TokenError("invalid_grant", "The code_verifier does not belong to the code_challenge.")
    static let invalidRefreshToken = TokenError(
        "invalid_grant", "The refresh token is unknown, expired, used or of another client.")
    static let invalidScope = TokenError("invalid_scope", "A refresh cannot widen the scope.")
    static let temporarilyUnavailable = TokenError(
        "temporarily_unavailable", "Too many requests.", status: .tooManyRequests)
    static let serverError = TokenError("server_error", "The issuer failed.", status: .internalServerError)

    static func missing(_ parameter: String) -> TokenError {
        TokenError("invalid_request", "The parameter \(parameter) is missing.")
    }

    static func unreadable(_ problem: RequestParameters.Problem) -> TokenError {
        TokenError("invalid_request", problem.rawValue)
    }

    var response: Response {
        var response = Response.json(
            status, ["error": .string(error), "error_description": .string(description)])
        // RFC 9110 section 15.5.2: a 401 names a challenge.
        if status == .unauthorized { response.add("WWW-Authenticate", "Basic realm=\"token\"") }
        return response
    }
}
