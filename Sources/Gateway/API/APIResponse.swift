internal import SwitchyardHTTP
internal import SwitchyardJSON

/// Why a call of the apps' API was refused, in OAuth's form (RFC 6749 section 5.2).
struct APIError: Error, Sendable {
    let status: Status
    let error: String
    let description: String
    var retryAfter: Int?
    /// How to authenticate, for a 401.
    var challenge = "Bearer"

    init(_ status: Status, _ error: String, _ description: String, retryAfter: Int? = nil) {
        self.status = status
        self.error = error
        self.description = description
        self.retryAfter = retryAfter
    }

    static func invalidRequest(_ description: String) -> APIError {
        APIError(.badRequest, "invalid_request", description)
    }

    static let notFound = APIError(
        .notFound, "not_found", "there is no such request, or the result token is not the one of this request")

    /// The store is out of reach.
    static let unavailable = APIError(
        .serviceUnavailable, "temporarily_unavailable", "the gateway cannot reach its store", retryAfter: 5)

    static func tooMany(_ description: String, retryAfter: Int) -> APIError {
        APIError(.tooManyRequests, "slow_down", description, retryAfter: retryAfter)
    }

    var response: Response {
        var response = Response.json(
            status, ["error": .string(error), "error_description": .string(description)])
        if let retryAfter { response.add("Retry-After", String(retryAfter)) }
        // RFC 9110 section 15.5.2: an answer with 401 says how to authenticate.
        if status == .unauthorized { response.add("WWW-Authenticate", challenge) }
        return response
    }
}

extension Response {
    static func json(_ status: Status, _ object: JSONObject) -> Response {
        json(status, bytes: JSONValue.object(object).serialized)
    }

    /// An answer whose JSON text exists already.
    static func json(_ status: Status, bytes: [UInt8]) -> Response {
        Response(status, fields: jsonFields, body: .bytes(bytes))
    }

    private static let jsonFields: Fields = [
        "Content-Type": "application/json", "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
    ]

    static func noContent() -> Response {
        Response(.noContent, fields: ["Cache-Control": "no-store"])
    }
}
