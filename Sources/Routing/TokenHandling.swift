public import SwitchyardOAuth

/// The work on an app's tokens beside redeeming and verifying them.
public struct TokenHandling: Hashable, Sendable {
    public static let standard = TokenHandling()

    /// Whether the result has the claims of the issuer's userinfo endpoint.
    public var fetchesUserInfo = false
    /// nil for an app whose tokens are only signed.
    public var decryption: TokenDecryption?
    /// Whether the tokens are bound to a key. With `auto` the request decides (``AppRegistration/bindsTokens(asDocument:)``).
    public var binding = BindingPolicy.auto

    public init() {}
}
