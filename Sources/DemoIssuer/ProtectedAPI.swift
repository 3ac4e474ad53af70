internal import SwitchyardCrypto
internal import SwitchyardHTTP
package import SwitchyardJSON
internal import SwitchyardOAuth
internal import Synchronization

/// The APIs `/api/{name}`, as resource servers that take this issuer's access tokens (RFC 6750). For `/api/mail` a
/// token is good that has a scope such as `api://mail/read` or `mail.read`.
struct ProtectedAPI: Sendable {
    let grants: GrantStore
    let challenges: ClaimsChallenges
    let scopeRules: ScopeRules

    func respond(to request: Request, at address: IssuerAddress) -> Response {
        let name = String(request.pathText.split(separator: "/").last ?? "")
        guard let token = request.bearerToken else { return Self.refusal([], at: address) }
        guard let grant = grants.grant(ofAccessToken: token) else {
            return Self.refusal([("error", "invalid_token"), ("error_description", "expired or unknown")], at: address)
        }
        let audience = scopeRules.resources(of: grant.scopes)
        guard Self.contains(audience, name) else {
            return Self.refusal([("error", "invalid_token"), ("error_description", "for another API")], at: address)
        }
        if let challenge = challenges[name], !challenge.isMet(by: grant.claimsRequest) {
            return Self.refusal([("error", "insufficient_claims"), ("claims", challenge.text)], at: address)
        }
        return .json(.ok, Self.content(name, audience, grant))
    }

    private static func contains(_ audience: [String], _ name: String) -> Bool {
        audience.contains { $0.split(separator: "/").last?.lowercased() == name.lowercased() }
    }

    /// The caller of the API and its grant.
    private static func content(_ name: String, _ audience: [String], _ grant: AccessGrant) -> JSONValue {
        var content: JSONObject = [
            "api": .string(name), "aud": .array(audience.map { .string($0) }),
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

/// The claims that an API demands of the request that acquired the access token, in the way of Microsoft's continuous
/// access evaluation and step-up.
package struct ClaimsChallenge: Sendable {
    /// How the claims stand in `WWW-Authenticate`.
    package enum Form: String, Sendable {
        case base64
        case base64URL = "base64url"
        /// As they are, with the quotes escaped.
        case json
    }

    let claims: JSONObject
    let form: Form

    package init(claims: JSONObject, form: Form) {
        self.claims = claims
        self.form = form
    }

    /// Whether a request for these claims asked for everything here; it may have asked for more.
    func isMet(by request: JSONObject?) -> Bool {
        guard let request else { return false }
        return Self.isContained(.object(claims), in: .object(request))
    }

    /// The value of the parameter `claims`, between its quotes.
    var text: String {
        let bytes = JSONValue.object(claims).serialized
        switch form {
        case .base64: return Base64.encode(bytes)
        case .base64URL: return Base64URL.encode(bytes)
        case .json: return QuotedString.escape(String(decoding: bytes, as: UTF8.self))
        }
    }

    private static func isContained(_ small: JSONValue, in large: JSONValue) -> Bool {
        switch (small, large) {
        case (.object(let small), .object(let large)):
            small.members.allSatisfy { member in
                large[member.name].map { isContained(member.value, in: $0) } ?? false
            }
        case (.array(let small), .array(let large)):
            small.allSatisfy { element in large.contains { isContained(element, in: $0) } }
        default: small == large
        }
    }
}

/// The demands of the APIs beside a good token, by the name of the API. Safe from any thread.
package final class ClaimsChallenges: Sendable {
    private let challenges = Mutex<[String: ClaimsChallenge]>([:])

    subscript(api: String) -> ClaimsChallenge? { challenges.withLock { $0[api] } }

    /// - Parameter challenge: nil when a good token is enough.
    package func set(_ challenge: ClaimsChallenge?, of api: String) {
        challenges.withLock { $0[api] = challenge }
    }
}

/// The inside of a quoted string in a header field (RFC 9110 section 5.6.4).
enum QuotedString {
    static func escape(_ text: String) -> String {
        String(text.flatMap { $0 == "\"" || $0 == "\\" ? ["\\", $0] : [$0] })
    }
}
