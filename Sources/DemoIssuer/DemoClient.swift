public import SwitchyardCrypto

/// A client that the demo issuer knows. Clients that it does not know are accepted too, as public ones.
public struct DemoClient: Sendable {
    public let id: String
    /// Shown on the consent page; the client ID stands there when nil.
    public let name: String?
    /// What the client authenticates with, by `client_secret_basic` or `client_secret_post`; nil for a public client.
    public let secret: Secret?

    public init(id: String, name: String? = nil, secret: Secret? = nil) {
        self.id = id
        self.name = name
        self.secret = secret
    }
}
