internal import SwitchyardOAuth

/// Whether an authorization request goes to the issuer before the browser does (PAR, RFC 9126). The browser then carries
/// a reference to it only.
public struct PushedRequests: Hashable, Sendable {
    /// If the issuer's metadata require it.
    public static var automatic: Self { Self(policy: .auto) }
    /// Always. For issuers such as Keycloak, which do not say that they require it of a client.
    public static var required: Self { Self(policy: .required) }
    /// Never.
    public static var off: Self { Self(policy: .off) }

    let policy: PushPolicy
}
