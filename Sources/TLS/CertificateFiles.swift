internal import SwitchyardCOpenSSL

/// The files of a certificate that a server or a client shows.
public struct CertificateFiles: Hashable, Sendable {
    /// PEM: the certificate and the chain up to, but without, the root.
    public let certificateChain: String
    /// PEM: the private key.
    public let privateKey: String

    public init(certificateChain: String, privateKey: String) {
        self.certificateChain = certificateChain
        self.privateKey = privateKey
    }
}

extension CertificateFiles {
    /// Reads and checks both.
    /// - Parameter context: an `SSL_CTX`, of a server or a client.
    func load(into context: OpaquePointer) throws(TLSError) {
        guard unsafe sy_ssl_ctx_use_chain_file(context, certificateChain) == 1 else {
            throw TLSError("certificate \"\(certificateChain)\" cannot be used")
        }
        guard unsafe SSL_CTX_use_PrivateKey_file(context, privateKey, SSL_FILETYPE_PEM) == 1 else {
            throw TLSError("private key \"\(privateKey)\" cannot be used")
        }
        guard unsafe SSL_CTX_check_private_key(context) == 1 else {
            throw TLSError("private key \"\(privateKey)\" does not belong to \"\(certificateChain)\"")
        }
    }
}
