public import SwitchyardCrypto
public import SwitchyardOAuth

/// The address of a webhook, and the key that signs it.
public struct Webhook: Hashable, Sendable {
    /// The sizes of a key for signatures, in bytes, as Standard Webhooks requires.
    public static let keySizes = 24...64

    /// https, or http on loopback.
    public let url: EndpointURL
    /// The bytes themselves, not their base64 form.
    public let key: Secret

    public init(url: EndpointURL, key: Secret) {
        self.url = url
        self.key = key
    }
}
