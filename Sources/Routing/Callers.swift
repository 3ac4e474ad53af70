public import SwitchyardCrypto

/// The peers that may begin a token request for an app: those that any one of the lists names.
public struct BeginFrom: Hashable, Sendable {
    /// User IDs, known of a peer on a Unix socket.
    public let uids: [UInt32]
    public let networks: [Network]
    /// The clients' own certificates, or those of authorities that issued them.
    public let clientCertificates: [ClientCertificateFile]
    /// The digests of the API keys. A reader of the memory cannot call with them.
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

    /// Whether the key with this digest is one of the app's. Compares with each of them, so the time is always the
    /// same.
    public func permits(apiKeyHash hash: SHA256Digest) -> Bool {
        apiKeyHashes.reduce(false) { isFound, key in (key == hash) || isFound }
    }
}

/// The peers that may relay a callback of an app: those that any one of the lists names. The lists narrow the release
/// policy and never widen it.
public struct RelayFrom: Hashable, Sendable {
    /// User IDs, known of a peer on a Unix socket.
    public let uids: [UInt32]
    public let networks: [Network]

    public init(uids: [UInt32] = [], networks: [Network] = []) {
        self.uids = uids
        self.networks = networks
    }

    public func permits(uid: UInt32) -> Bool { uids.contains(uid) }

    public func permits(_ address: IPAddress) -> Bool { networks.contains { $0.contains(address) } }
}

/// Which programs of the user may ask the user's agent for an app's tokens: one that any of the lists names.
public struct UseFrom: Hashable, Sendable {
    /// Absolute paths.
    public let executables: [String]
    /// The IDs as in the desktop, without `.desktop`: `org.gnome.Evolution`.
    public let desktopIDs: [String]

    public init(executables: [String] = [], desktopIDs: [String] = []) {
        self.executables = executables
        self.desktopIDs = desktopIDs
    }

    /// Whether no program may.
    public var isNobody: Bool { executables.isEmpty && desktopIDs.isEmpty }
}

/// A file of certificates that vouch for callers, as it was read with the configuration.
public struct ClientCertificateFile: Hashable, Sendable {
    /// For people.
    public let path: String
    /// One or more certificates in PEM (RFC 7468): a client's own, or an authority's.
    public let pem: [UInt8]

    public init(path: String, pem: [UInt8]) {
        self.path = path
        self.pem = pem
    }
}
