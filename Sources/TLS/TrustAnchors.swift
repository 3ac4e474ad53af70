internal import SwitchyardCOpenSSL

/// Certificates that an operator believes: clients' own, or those of authorities. Immutable; safe from any thread.
@safe public final class TrustAnchors: Sendable {
    /// Why unchecked: OpenSSL's stores are locked inside, and this one does not change.
    nonisolated(unsafe) private let store: OpaquePointer

    /// - Parameters:
    ///   - files: PEM texts (RFC 7468), each with at least one certificate.
    ///   - includesSystem: whether the authorities of the system count as well.
    /// - Throws: ``TLSError`` for a text without a certificate, or with an unreadable one.
    public init(pem files: [[UInt8]], includesSystem: Bool = false) throws(TLSError) {
        ERR_clear_error()
        guard let store = unsafe X509_STORE_new() else { throw TLSError("X509_STORE_new") }
        unsafe self.store = unsafe store
        for file in files {
            switch unsafe sy_x509_store_add_pem(store, file, file.count) {
            case ..<0: throw TLSError("a certificate cannot be read")
            case 0: throw TLSError("there is no certificate in it", reasons: [])
            default: continue
            }
        }
        guard includesSystem else { return }
        guard unsafe X509_STORE_set_default_paths(store) == 1 else {
            throw TLSError("the system's certificates cannot be used")
        }
    }

    /// Lends the store to calls of OpenSSL; do not keep the pointer.
    func withStore<Value>(_ body: (OpaquePointer) -> Value) -> Value {
        unsafe body(store)
    }

    deinit {
        unsafe X509_STORE_free(store)
    }

    /// Whether `client` is one of these or was issued by one of these, is for TLS clients (RFC 5280 section 4.2.1.12),
    /// and is valid now, with its whole chain. Revocation is not checked.
    public func vouch(for client: ClientCertificate) -> Bool {
        unsafe sy_x509_store_vouches(store, client.certificate, client.chain) == 1
    }
}
