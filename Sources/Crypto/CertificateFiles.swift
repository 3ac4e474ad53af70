/// The paths of a certificate and its key, as a server or a client shows them. Code that uses them reads and checks the
/// files.
public struct CertificateFiles: Hashable, Sendable {
    /// Path of a PEM file: the certificate and the chain up to, but without, the root.
    public let certificateChain: String
    /// Path of a PEM file: the private key.
    public let privateKey: String

    public init(certificateChain: String, privateKey: String) {
        self.certificateChain = certificateChain
        self.privateKey = privateKey
    }

    /// Both paths.
    public var paths: [String] { [certificateChain, privateKey] }
}
