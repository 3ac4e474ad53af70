internal import SwitchyardCOpenSSL
public import SwitchyardCrypto

/// The certificates of a TLS listener, chosen by the server name that the client sends, under Mozilla's intermediate
/// settings. Immutable, so it is safe to share between loops; a reload makes a new one.
@safe public final class ServerContext: Sendable {
    private let contexts: [SessionSettings]
    /// The certificates, in the order of the identities.
    public let certificates: [ServedCertificate]

    /// The names of each certificate beside its context, for the choice by name.
    private let names: NameTable

    /// Reuses the memory of records and handshakes, to save allocations. For a server; call it first, because it has no
    /// effect once OpenSSL has been used.
    public static func keepMemory() {
        _ = sy_keep_blocks()
    }

    /// Reads and checks every file.
    /// - Parameters:
    ///   - identities: at least one. The first is shown if the name is absent or unknown.
    ///   - protocols: the ALPN protocols, such as `http/1.1`. A client that offers only others is refused.
    ///   - requestsClientCertificate: whether clients are asked for a certificate. The certificate is optional, and
    ///     ``ServerStream/clientCertificate`` is not verified.
    /// - Throws: ``TLSError``, which names the file.
    public init(
        identities: [CertificateFiles], protocols: [String], requestsClientCertificate: Bool = false
    ) throws(TLSError) {
        var contexts: [SessionSettings] = []
        for identity in identities {
            contexts.append(
                try SessionSettings(
                    identity, protocols: protocols, requestsClientCertificate: requestsClientCertificate))
        }
        guard let first = contexts.first else { throw TLSError("no certificate is configured", reasons: []) }
        self.contexts = contexts
        certificates = contexts.map(\.certificate)
        names = NameTable(contexts)
        if contexts.count > 1 { try first.choose(by: names) }
    }

    /// Makes the TLS session of one server's connection on this thread. The caller owns it.
    /// - Returns: nil if memory is short.
    func makeSession() -> OpaquePointer? {
        guard let session = unsafe SSL_new(contexts[0].pointer) else { return nil }
        guard unsafe sy_ssl_use_thread(session) == 1 else {
            unsafe SSL_free(session)
            return nil
        }
        unsafe SSL_set_accept_state(session)
        return unsafe session
    }
}

/// A certificate that a server shows, for people.
public struct ServedCertificate: Hashable, Sendable {
    /// Its subject (RFC 4514), or the names that it is for where that is empty.
    public let subject: String
    /// The last moment at which it and those it is shown with are valid, in seconds since 1970.
    public let validUntil: Int64
}

/// One `SSL_CTX`: one certificate with its settings.
@safe final class SessionSettings: Sendable {
    /// Why unchecked: OpenSSL's contexts are reference-counted and thread-safe once they are set up.
    nonisolated(unsafe) let pointer: OpaquePointer

    init(_ identity: CertificateFiles, protocols: [String], requestsClientCertificate: Bool) throws(TLSError) {
        ERR_clear_error()
        guard let context = unsafe SSL_CTX_new(TLS_server_method()) else { throw TLSError("SSL_CTX_new") }
        unsafe pointer = unsafe context
        guard unsafe sy_ssl_ctx_harden(context) == 1 else { throw TLSError("the TLS settings were refused") }
        try unsafe identity.load(into: context)
        let wire = protocols.flatMap { [UInt8($0.utf8.count)] + Array($0.utf8) }
        guard unsafe sy_ssl_ctx_set_alpn(context, wire, UInt32(wire.count)) == 1 else { throw TLSError("ALPN") }
        if requestsClientCertificate {
            guard unsafe sy_ssl_ctx_request_certificate(context) == 1 else { throw TLSError("client certificates") }
        }
    }

    deinit {
        unsafe SSL_CTX_free(pointer)
    }

    var certificate: ServedCertificate {
        var text = [CChar](repeating: 0, count: 512)
        var until: Int64 = 0
        let count = unsafe sy_ssl_ctx_read_certificate(pointer, &text, text.count, &until)
        let bytes = text.prefix(count).map(UInt8.init(bitPattern:))
        return ServedCertificate(subject: String(decoding: bytes, as: UTF8.self), validUntil: until)
    }

    /// Whether the certificate is for `name` (RFC 6125, with wildcards).
    func covers(_ name: UnsafePointer<CChar>) -> Bool {
        guard let certificate = unsafe SSL_CTX_get0_certificate(pointer) else { return false }
        return unsafe X509_check_host(certificate, name, 0, 0, nil) == 1
    }

    /// Lets `names` pick the context of each handshake. `names` must live as long as this context is in use.
    func choose(by names: NameTable) throws(TLSError) {
        let names = unsafe Unmanaged.passUnretained(names).toOpaque()
        guard unsafe sy_ssl_ctx_set_chooser(pointer, chooseContext, names) == 1 else {
            throw TLSError("the choice by server name cannot be set up")
        }
    }
}

/// Finds the context for a server name.
final class NameTable: Sendable {
    private let contexts: [SessionSettings]

    init(_ contexts: [SessionSettings]) { self.contexts = contexts }

    func context(for name: UnsafePointer<CChar>) -> OpaquePointer? {
        unsafe contexts.first { unsafe $0.covers(name) }?.pointer
    }
}

private func chooseContext(_ table: UnsafeMutableRawPointer?, _ name: UnsafePointer<CChar>?) -> OpaquePointer? {
    guard let table = unsafe table, let name = unsafe name else { return nil }
    return unsafe Unmanaged<NameTable>.fromOpaque(table).takeUnretainedValue().context(for: name)
}
