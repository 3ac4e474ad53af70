/// What a token request is made with (RFC 6749 sections 4.1.3 and 6).
enum GrantType: String, Sendable, CaseIterable {
    case authorizationCode = "authorization_code"
    case refreshToken = "refresh_token"
}
