public import SwitchyardJOSE
internal import SwitchyardJSON

/// The private keys of a client, whose public halves it publishes.
public struct ClientKeys: Hashable, Sendable {
    public static let none = ClientKeys()
    /// The end of the key set's address, behind that of the client's document.
    public static let suffix = "/keys"

    /// The first one signs.
    public var signing: [SigningKey] = []
    /// The keys to which issuers encrypt.
    public var encryption: [DecryptionKeys.Key] = []

    public init(signing: [SigningKey] = [], encryption: [DecryptionKeys.Key] = []) {
        self.signing = signing
        self.encryption = encryption
    }

    public var isEmpty: Bool { signing.isEmpty && encryption.isEmpty }

    /// The public halves as a JWK set (RFC 7517 section 5); nil without a key.
    public var published: [UInt8]? {
        guard !isEmpty else { return nil }
        let keys = signing.map(\.published) + encryption.map(\.published)
        return JSONValue.object(["keys": .array(keys.map { .object($0) })]).serialized
    }
}
