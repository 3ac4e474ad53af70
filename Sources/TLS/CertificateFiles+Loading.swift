internal import SwitchyardCOpenSSL
internal import SwitchyardCrypto

extension CertificateFiles {
    /// Reads and checks both.
    /// - Parameter context: an `SSL_CTX`, of a server or a client.
    func load(into context: OpaquePointer) throws(TLSError) {
        guard unsafe sy_ssl_ctx_use_chain_file(context, certificateChain) == 1 else {
            throw TLSError("certificate \"\(certificateChain)\" cannot be used")
        }
        switch unsafe sy_ssl_ctx_use_key_file(context, privateKey) {
        case 1: break
        case -1:
            ERR_clear_error()
            throw TLSError(
                "private key \"\(privateKey)\" cannot be used", reasons: ["the key is encrypted"],
                remedy: "write it without a pass phrase, for this user alone to read")
        default: throw TLSError("private key \"\(privateKey)\" cannot be used")
        }
        guard unsafe SSL_CTX_check_private_key(context) == 1 else {
            throw TLSError("private key \"\(privateKey)\" does not belong to \"\(certificateChain)\"")
        }
    }
}
