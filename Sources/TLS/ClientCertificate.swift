internal import SwitchyardCOpenSSL

/// The certificate that a client showed in the handshake, with those it sent along. The client has proven that it holds
/// the key; ``TrustAnchors`` judge the certificate. Safe from any thread.
@safe public final class ClientCertificate: Sendable {
    /// Why unchecked: X.509 objects are reference-counted, and OpenSSL locks what it caches in them.
    nonisolated(unsafe) let certificate: OpaquePointer
    /// Why unchecked: as for ``certificate``.
    nonisolated(unsafe) let chain: OpaquePointer?

    /// nil if the client of `session` showed no certificate.
    init?(of session: OpaquePointer) {
        guard let certificate = unsafe sy_ssl_copy_certificate(session) else { return nil }
        unsafe self.certificate = unsafe certificate
        unsafe chain = unsafe sy_ssl_copy_chain(session)
    }

    deinit {
        unsafe X509_free(certificate)
        unsafe sy_x509_chain_free(chain)
    }
}
