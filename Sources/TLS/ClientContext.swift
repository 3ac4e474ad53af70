internal import SwitchyardCOpenSSL
public import SwitchyardCrypto

/// The settings with which a TLS client checks servers, and its own certificate. Immutable; safe from any thread.
@safe public final class ClientContext: Sendable {
    /// Why unchecked: OpenSSL's contexts are reference-counted and thread-safe once they are set up.
    nonisolated(unsafe) private let pointer: OpaquePointer

    /// - Parameters:
    ///   - onlyAuthorities: path of a PEM file with the only trusted certificates; nil for those of the system.
    ///   - identity: the certificate for a server that asks for one.
    /// - Throws: ``TLSError``, which names the file.
    public init(onlyAuthorities: String? = nil, identity: CertificateFiles? = nil) throws(TLSError) {
        ERR_clear_error()
        guard let context = unsafe SSL_CTX_new(TLS_client_method()) else { throw TLSError("SSL_CTX_new") }
        unsafe pointer = unsafe context
        guard unsafe sy_ssl_ctx_harden_client(context) == 1 else { throw TLSError("the TLS settings were refused") }
        if let onlyAuthorities {
            guard unsafe SSL_CTX_load_verify_file(context, onlyAuthorities) == 1 else {
                throw TLSError("the certificates in \"\(onlyAuthorities)\" cannot be used")
            }
        } else {
            guard unsafe SSL_CTX_set_default_verify_paths(context) == 1 else {
                throw TLSError("the system's certificates cannot be used")
            }
        }
        if let identity { try unsafe identity.load(into: context) }
    }

    deinit { unsafe SSL_CTX_free(pointer) }

    /// A fresh session that takes only a certificate for `host`, a name or a numeric address; the caller owns it.
    func makeSession(for host: String) -> OpaquePointer? {
        guard let session = unsafe SSL_new(pointer) else { return nil }
        guard unsafe sy_ssl_expect_host(session, host) == 1 else {
            unsafe SSL_free(session)
            return nil
        }
        return unsafe session
    }
}
