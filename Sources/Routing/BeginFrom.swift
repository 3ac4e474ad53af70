public import SwitchyardCrypto

/// Who may begin a token request for an app: a peer that any one of the lists names.
public struct BeginFrom: Hashable, Sendable {
    /// User IDs, known of a peer on a Unix socket.
    public let uids: [UInt32]
    public let networks: [Network]
    /// The clients' own certificates, or those of authorities that issued them.
    public let clientCertificates: [ClientCertificateFile]
    /// Of each API key only this is kept: whoever reads the memory cannot call with it.
    public let apiKeyHashes: [SHA256Digest]

    public init(
        uids: [UInt32] = [], networks: [Network] = [], clientCertificates: [ClientCertificateFile] = [],
        apiKeyHashes: [SHA256Digest] = []
    ) {
        self.uids = uids
        self.networks = networks
        self.clientCertificates = clientCertificates
        self.apiKeyHashes = apiKeyHashes
    }

    public func permits(uid: UInt32) -> Bool { uids.contains(uid) }

    public func permits(_ address: IPAddress) -> Bool { networks.contains { $0.contains(address) } }

    /// Whether the key with this digest is one of the app's. Looks at each of them, so that the time tells nothing.
    public func permits(apiKeyHash hash: SHA256Digest) -> Bool {
        apiKeyHashes.reduce(false) { isFound, key in (key == hash) || isFound }
    }
}
