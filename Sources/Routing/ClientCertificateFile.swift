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
