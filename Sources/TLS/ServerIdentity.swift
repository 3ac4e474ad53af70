/// The files of one server certificate.
public struct ServerIdentity: Hashable, Sendable {
    /// PEM: the certificate and the chain up to, but without, the root.
    public let certificateChain: String
    /// PEM: the private key.
    public let privateKey: String

    public init(certificateChain: String, privateKey: String) {
        self.certificateChain = certificateChain
        self.privateKey = privateKey
    }
}
