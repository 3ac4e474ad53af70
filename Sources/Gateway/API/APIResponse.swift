internal import SwitchyardHTTP
internal import SwitchyardJSON
internal import SwitchyardPendingRequests
internal import SwitchyardRouting

/// Why a call of the apps' API was refused, in OAuth's form (RFC 6749 section 5.2).
struct APIError: Error, Sendable {
    let status: Status
    let error: String
    let description: String
    var retryAfter: Int?
    /// For a 405.
    var allowedMethods: String?
    /// The field that is wrong, where programs react to that.
    var parameter: String?
    /// How to authenticate, for a 401.
    var challenge = "Bearer"
    /// The note of the answer in the event log.
    var note = Note.call

    /// The event that reports a refusal.
    enum Note: Sendable {
        case call
        case limit(GatewayLimit, app: AppID?)
        case beginRefused(app: AppID)
        case useRefused(app: AppID, program: String)
        /// Already reported as a callback.
        case callback
    }

    init(_ status: Status, _ error: String, _ description: String, retryAfter: Int? = nil) {
        self.status = status
        self.error = error
        self.description = description
        self.retryAfter = retryAfter
    }

    static func invalidRequest(_ description: String) -> APIError {
        APIError(.badRequest, "invalid_request", description)
    }

    static func notAllowed(_ methods: String) -> APIError {
        var error = APIError(.methodNotAllowed, "invalid_request", "this address takes \(methods)")
        error.allowedMethods = methods
        return error
    }

    /// The redirect URI is not one that this app may begin with.
    static func invalidRedirectURI(_ problem: String) -> APIError {
        var error = APIError.invalidRequest("\"redirect_uri\" \(problem)")
        error.parameter = "redirect_uri"
        return error
    }

    static let notFound = APIError(
        .notFound, "not_found", "there is no such request, or the result token is not the one of this request")

    /// The refusal for an error of a call. An error of another type is one of the store, which the registry has reported.
    init(of error: any Error) {
        self = error as? APIError ?? ((error as? StoreError)?.missingKey == nil ? .unavailable : .keyMissing)
    }

    /// The store is out of reach.
    static let unavailable = APIError(
        .serviceUnavailable, "temporarily_unavailable", "the gateway cannot reach its store", retryAfter: 5)

    /// The store has the request, and the key that opens it is not configured.
    static let keyMissing = APIError(
        .serviceUnavailable, "temporarily_unavailable",
        "the gateway lacks the encryption key of this sign-in; its operator has to put it back", retryAfter: 5)

    /// - Parameter limit: nil for callbacks, which are reported as such.
    static func tooMany(
        _ description: String, _ limit: GatewayLimit?, app: AppID? = nil, retryAfter: Int
    ) -> APIError {
        APIError(.tooManyRequests, "slow_down", description, retryAfter: retryAfter)
            .noted(limit.map { .limit($0, app: app) } ?? .callback)
    }

    /// The network has given as many wrong release proofs as it may.
    static func tooManyWrongProofs(of app: AppID, retryAfter: Int) -> APIError {
        APIError(
            .tooManyRequests, "slow_down",
            "\(WrongProofs.maximum) release codes or tickets for \(app) from this network were wrong within an hour",
            retryAfter: retryAfter)
    }

    func noted(_ note: Note) -> APIError {
        var error = self
        error.note = note
        return error
    }

    var response: Response {
        var object: JSONObject = ["error": .string(error), "error_description": .string(description)]
        object["parameter"] = parameter.map { .string($0) }
        var response = Response.json(status, object)
        if let allowedMethods { response.add("Allow", allowedMethods) }
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

    /// An answer from finished JSON text.
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
