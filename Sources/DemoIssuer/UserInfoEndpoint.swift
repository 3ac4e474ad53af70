internal import SwitchyardHTTP
internal import SwitchyardJSON
internal import SwitchyardOAuth

/// The UserInfo endpoint (OpenID Connect Core section 5.3).
struct UserInfoEndpoint: Sendable {
    let grants: GrantStore

    func respond(to request: Request) -> Response {
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

extension Request {
    /// The access token of the field `Authorization` (RFC 6750 section 2.1).
    var bearerToken: String? {
        guard let parts = field("authorization")?.split(separator: " "), parts.count == 2,
            parts[0].lowercased() == "bearer"
        else { return nil }
        return String(parts[1])
    }
}
