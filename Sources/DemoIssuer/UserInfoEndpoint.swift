internal import HTTP
internal import JSON
internal import OAuth

/// The UserInfo endpoint (OpenID Connect Core section 5.3).
struct UserInfoEndpoint: Sendable {
    let grants: GrantStore
    let statistics: Statistics

    func respond(to request: Request) -> Response {
        statistics.count(.userInfoRequests)
        guard let token = Self.bearerToken(request) else { return Self.refusal("Bearer", "No access token was sent.") }
        guard let grant = grants.grant(ofAccessToken: token), grant.scopes.contains("openid") else {
            return Self.refusal("Bearer error=\"invalid_token\"", "The access token is not good for this.")
        }
        return .json(.ok, .object(grant.user.claims))
    }

    /// RFC 6750 section 2.1.
    private static func bearerToken(_ request: Request) -> String? {
        guard let parts = request.field("authorization")?.split(separator: " "), parts.count == 2,
            parts[0].lowercased() == "bearer"
        else { return nil }
        return String(parts[1])
    }

    private static func refusal(_ challenge: String, _ sentence: String) -> Response {
        var response = Response.text(.unauthorized, sentence)
        response.add("WWW-Authenticate", challenge)
        return response
    }
}
