internal import SwitchyardText

/// A request that an app or an operator may add parameters to, and the rules for their names.
public enum ParameterTarget: String, CaseIterable, Sendable {
    case authorization
    case token

    /// Whether the request sets a parameter that an issuer could read under this name, so that nobody may add it.
    public func isOwn(_ name: String) -> Bool {
        switch self {
        case .authorization: AuthorizationRequest.isOwn(name)
        case .token: Self.ownOfToken.contains(name.asciiLowercased)
        }
    }

    /// Whether an operator may not give the parameter a default. Those that only steer the sign-in may have one, and
    /// the app's value wins.
    public func isForbiddenDefault(_ name: String) -> Bool {
        self == .authorization && Self.steering.contains(name) ? false : isOwn(name)
    }

    /// Whether every issuer reads the name as it is. A token request also has the client's secret, so its names are
    /// plain: PHP, for one, reads `grant.type` as `grant_type`.
    public func isPlain(_ name: String) -> Bool {
        self == .authorization
            || name.utf8.allSatisfy { ASCII.isAlphanumeric($0) || [0x2D, 0x3A, 0x5F].contains($0) }
    }

    private static let steering = StepUp.names.union(["prompt", "login_hint", "domain_hint", "claims"])

    /// The parameters that a token request sets, or that would replace them.
    private static let ownOfToken: Set<String> = [
        "grant_type", "code", "redirect_uri", "code_verifier", "client_id", "client_secret", "client_assertion",
        "client_assertion_type", "refresh_token", "scope", "state", "assertion", "device_code", "username", "password",
    ]
}
