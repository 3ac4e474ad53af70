public import SwitchyardCrypto

/// How a client proves itself at the token endpoint (RFC 6749 section 2.3).
public enum ClientAuthentication: Sendable, Hashable {
    /// A public client: only its client ID.
    case none
    /// HTTP Basic with form-encoded client ID and secret.
    case clientSecretBasic(Secret)
    /// The secret in the content of the request.
    case clientSecretPost(Secret)
}
