/// What the demo issuer does differently for one sign-in, because the authorization request asked for it.
enum Misbehavior: String, Sendable, CaseIterable {
    // At the authorization endpoint.
    /// Consent is taken for granted.
    case auto
    /// Answers `access_denied` at once.
    case deny
    /// Leaves `iss` out of the authorization response (RFC 9207).
    case noIss = "no_iss"

    // At the token endpoint, instead of a token response.
    /// Answers after 20 seconds. Goes together with any other.
    case slow
    /// Answers 500, each time. The code is not used up.
    case serverError = "server_error"
    /// Answers 500 the first time. The code is not used up.
    case flaky
    /// Answers 429 with `Retry-After`, each time. The code is not used up.
    case throttled
    /// Cuts the connection without an answer.
    case reset
    /// Answers 302.
    case redirect
    /// Answers 200 with content that is no JSON.
    case garbage
    /// Content that never ends, sent slowly.
    case endless
    /// 500 MB of content.
    case huge

    // In the token response.
    case wrongNonce = "wrong_nonce"
    case wrongSignature = "wrong_signature"
    case wrongIssuer = "wrong_issuer"
    case wrongAudience = "wrong_audience"
    case expired
    /// Does not grant the last of the resource scopes that were asked for.
    case fewerScopes = "fewer_scopes"
    /// The token response is called `text/html`.
    case notJSON = "not_json"

    /// Those that leave the code as it is.
    static let keepingCode: Set<Misbehavior> = [.serverError, .throttled]

    private static let scopePrefix = "demo:"

    /// Whether a scope is a request to misbehave, and grants nothing.
    static func isRequested(byScope scope: String) -> Bool { scope.hasPrefix(scopePrefix) }

    /// All that a request asks for: by the parameter `demo`, comma-separated, and by scopes `demo:…`.
    /// - Returns: nil when one of the names is unknown.
    static func requested(parameter: String?, scopes: [String]) -> Set<Misbehavior>? {
        var names = parameter.map { $0.split(separator: ",") } ?? []
        names += scopes.filter(isRequested).flatMap { $0.dropFirst(scopePrefix.count).split(separator: ",") }
        var requested: Set<Misbehavior> = []
        for name in names {
            guard let misbehavior = Misbehavior(rawValue: String(name)) else { return nil }
            requested.insert(misbehavior)
        }
        return requested
    }
}
