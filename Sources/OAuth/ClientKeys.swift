public import SwitchyardCrypto
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

    /// The key of the client's own certificate in TLS, which issuers take from the set (RFC 8705 section 2.2.2).
    private let certified: SigningKey?

    /// - Parameter certificate: the one of `self_signed_tls_client_auth`; nil without one.
    public init(
        signing: [SigningKey] = [], encryption: [DecryptionKeys.Key] = [], certificate: TLSClientCertificate? = nil
    ) {
        self.signing = signing
        self.encryption = encryption
        let taken = Set(signing.map(\.id) + encryption.map(\.id))
        // A set has each ID once, and the operator names the others.
        var id = "tls"
        while taken.contains(id) { id += "-" }
        certified = certificate.flatMap { [id] in try? SigningKey(id: id, pem: $0.privateKey, certificate: $0.chain) }
    }

    public var isEmpty: Bool { signing.isEmpty && encryption.isEmpty && certified == nil }

    /// The public halves as a JWK set (RFC 7517 section 5); nil without a key.
    public var published: [UInt8]? {
        guard !isEmpty else { return nil }
        var keys = signing.map(\.published) + encryption.map(\.published)
        if var key = certified?.published {
            key["use"] = nil
            keys.append(key)
        }
        return JSONValue.object(["keys": .array(keys.map { .object($0) })]).serialized
    }
}
