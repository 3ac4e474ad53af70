public import SwitchyardOAuth

/// The outcome of a revocation of refresh tokens after a sign-out.
public enum TokenRevocation: Sendable {
    case revoked
    /// There was no refresh token.
    case nothing
    /// The issuer revokes no such tokens: they end by themselves.
    case notOffered
    case failed(SignInFailure)
}
