/// An error that the client is told through the browser (RFC 6749 section 4.1.2.1, OpenID Connect Core section 3.1.2.6).
struct AuthorizationRefusal: Error, Sendable {
    let error: String
    let description: String
    /// As Microsoft's issuers say it more exactly.
    var subcode: String?

    static let accessDenied = AuthorizationRefusal(error: "access_denied", description: "The request was denied.")
    static let canceled = AuthorizationRefusal(
        error: "access_denied", description: "The user has canceled the request.", subcode: "cancel")
    static let loginRequired = AuthorizationRefusal(
        error: "login_required", description: "Nobody can be signed in without being asked.")
    static let unsupportedResponseType = AuthorizationRefusal(
        error: "unsupported_response_type", description: "The response_type must be code.")
    static let invalidScope = AuthorizationRefusal(
        error: "invalid_scope", description: "The scope has a character that is not allowed.")
    static let invalidChallenge = AuthorizationRefusal(
        error: "invalid_request",
        description: "A code_challenge with the method S256 is required, 43 characters of base64url.")
    static let invalidClaims = AuthorizationRefusal(
        error: "invalid_request", description: "The parameter claims is no JSON object.")
    static let unknownMisbehavior = AuthorizationRefusal(
        error: "invalid_request", description: "The parameter demo, or a scope demo:, has an unknown name.")
}
