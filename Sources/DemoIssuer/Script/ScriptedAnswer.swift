internal import SwitchyardHTTP
internal import SwitchyardJSON

/// What a test wants the token endpoint to do with a request.
struct ScriptedAnswer: Sendable {
    /// Before anything else, even before ``isCut``.
    var delay = Duration.zero
    /// Whether the connection ends without an answer, and with nothing used up.
    var isCut = false
    /// Whether native authentication sends the app to a browser.
    var redirects = false
    /// What is answered with ``error``, or without content; nil lets the request take its course.
    var status: Status?
    var error: TokenError?
    /// Beside the error: what a claims challenge asks for, as the text of a JSON object.
    var claims: String?
    /// Goes with any answer, also with tokens.
    var retryAfter: RetryAfter?
    /// Beside those of the sign-in and the request; only when the request takes its course.
    var misbehaviors = Misbehaviors()

    /// nil when the request takes its course. Nothing is used up by the others.
    func response(to request: Request) -> Response? {
        if isCut { return .cutOff }
        if redirects { return .json(.ok, .object(NativeEndpoint.redirect)) }
        guard var response = failure(request) else { return nil }
        addRetryAfter(to: &response)
        return response
    }

    func addRetryAfter(to response: inout Response) {
        if let retryAfter { response.add("Retry-After", retryAfter.text) }
    }

    private func failure(_ request: Request) -> Response? {
        guard var error else { return status.map { .text($0, "The demo issuer was told to answer so.") } }
        if let status { error.status = status }
        var members = error.members
        members["claims"] = claims.map { .string($0) }
        // So that a client can tell its own attempts apart, as with Microsoft's issuers.
        members["correlation_id"] = request.field("client-request-id").map { .string($0) }
        return error.response(members)
    }
}
