/// The kinds of requests to the token endpoint and to the endpoints of native authentication.
enum RequestKind: String, Sendable, CaseIterable {
    // The grant types of RFC 6749 sections 4.1.3 and 6.
    case authorizationCode = "authorization_code"
    case refreshToken = "refresh_token"

    // The grant types of native authentication, which end what its own endpoints began.
    case password
    case oneTimeCode = "oob"
    case secondFactorCode = "mfa_oob"
    /// After a sign-up or a new password.
    case continuation = "continuation_token"

    // The endpoints of native authentication.
    case initiate, challenge, introspect

    case revocation

    init?(nativeEndpoint name: String) {
        guard let kind = RequestKind(rawValue: name), [.initiate, .challenge, .introspect].contains(kind) else {
            return nil
        }
        self = kind
    }

    /// nil for what is no grant type.
    init?(grantType: String) {
        guard let kind = RequestKind(rawValue: grantType) else { return nil }
        switch kind {
        case .initiate, .challenge, .introspect, .revocation: return nil
        default: self = kind
        }
    }
}
