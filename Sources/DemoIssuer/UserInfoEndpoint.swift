internal import SwitchyardHTTP
internal import SwitchyardJSON
internal import SwitchyardOAuth

/// The UserInfo endpoint (OpenID Connect Core section 5.3).
struct UserInfoEndpoint: Sendable {
    let grants: GrantStore
    let statistics: Statistics

    func respond(to request: Request) -> Response {
        statistics.count(.userInfoRequests)
        guard let token = request.bearerToken else { return Self.refusal("Bearer", "No access token was sent.") }
        guard let grant = grants.grant(ofAccessToken: token), grant.scopes.contains("openid") else {
            return Self.refusal("Bearer error=\"invalid_token\"", "The access token is not good for this.")
        }
        return .json(.ok, .object(grant.user.claims(in: .standard)))
    }

    private static func refusal(_ challenge: String, _ sentence: String) -> Response {
        var response = Response.text(.unauthorized, sentence)
        response.add("WWW-Authenticate", challenge)
        return response
    }
}
