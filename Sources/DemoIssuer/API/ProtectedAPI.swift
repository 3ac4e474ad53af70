internal import SwitchyardHTTP
internal import SwitchyardJSON
internal import SwitchyardOAuth

/// The APIs `/api/{name}`, as resource servers that take this issuer's access tokens (RFC 6750). For `/api/mail` a token
/// is good that has a scope such as `api://mail/read` or `mail.read`.
struct ProtectedAPI: Sendable {
    let grants: GrantStore
    let challenges: ClaimsChallenges
    let statistics: Statistics

    func respond(to request: Request, at address: IssuerAddress) -> Response {
        statistics.count(.apiRequests)
        let name = String(request.pathText.split(separator: "/").last ?? "")
        guard let token = request.bearerToken else { return Self.refusal([], at: address) }
        guard let grant = grants.grant(ofAccessToken: token) else {
            return Self.refusal([("error", "invalid_token"), ("error_description", "expired or unknown")], at: address)
        }
        guard Self.isAudience(name, of: grant) else {
            return Self.refusal([("error", "invalid_token"), ("error_description", "for another API")], at: address)
        }
        if let challenge = challenges[name], !challenge.isMet(by: grant.claimsRequest) {
            return Self.refusal([("error", "insufficient_claims"), ("claims", challenge.text)], at: address)
        }
        return .json(.ok, Self.content(name, grant))
    }

    private static func isAudience(_ name: String, of grant: AccessGrant) -> Bool {
        grant.audience.contains { $0.split(separator: "/").last?.lowercased() == name.lowercased() }
    }

    /// Who asked, and with what.
    private static func content(_ name: String, _ grant: AccessGrant) -> JSONValue {
        var content: JSONObject = [
            "api": .string(name), "aud": .array(grant.audience.map { .string($0) }),
            "scope": .string(grant.scopes.text), "client_id": .string(grant.clientID),
            "name": .string(grant.user.name), "preferred_username": .string(grant.user.username),
        ]
        content["claims"] = grant.claimsRequest.map { .object($0) }
        return .object(content)
    }

    /// RFC 6750 section 3; `authorization_uri` and `claims` are Microsoft's.
    private static func refusal(_ parameters: [(String, String)], at address: IssuerAddress) -> Response {
        var response = Response.json(.unauthorized, ["error": .string(parameters.first?.1 ?? "no_token")])
        let all = [("authorization_uri", address.authorizationURLForAPIs)] + parameters
        response.add("WWW-Authenticate", "Bearer " + all.map { "\($0.0)=\"\($0.1)\"" }.joined(separator: ", "))
        return response
    }
}
