public import SwitchyardOAuth

/// What became of refresh tokens at their issuer after a sign-out.
public enum TokenRevocation: Sendable {
    case revoked
    /// There was no refresh token.
    case nothing
    /// The issuer revokes no such tokens: they end by themselves.
    case notOffered
    case failed(SignInFailure)
}
