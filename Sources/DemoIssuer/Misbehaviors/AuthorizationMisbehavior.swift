/// At the authorization endpoint.
enum AuthorizationMisbehavior: String, Sendable, CaseIterable {
    /// Consent is taken for granted. It goes together with any other.
    case auto
    /// Answers `access_denied` at once.
    case deny
    /// Answers as Microsoft's issuers do when the person gives up: `access_denied` with `error_subcode` `cancel`.
    case cancel
    /// Leaves `iss` out of the authorization response (RFC 9207).
    case noIss = "no_iss"
    /// Names another issuer, as in a mix-up attack (RFC 9700 section 4.4).
    case wrongIss = "wrong_iss"
    case noState = "no_state"
    case wrongState = "wrong_state"
}
