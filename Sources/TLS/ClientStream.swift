internal import SwitchyardCOpenSSL
public import SwitchyardReactor

/// How a client of TLS judges servers and what it shows of itself. Immutable; safe from any thread.
@safe public final class ClientContext: Sendable {
    /// Why unchecked: OpenSSL's contexts are reference-counted and thread-safe once they are set up.
    nonisolated(unsafe) private let pointer: OpaquePointer

    /// - Parameters:
    ///   - authorities: a file of certificates in PEM, which alone are believed; nil for those of the system.
    ///   - identity: what is shown to a server that asks for it.
    /// - Throws: ``TLSError``, which names the file.
    public init(authorities: String? = nil, identity: ServerIdentity? = nil) throws(TLSError) {
        ERR_clear_error()
        guard let context = unsafe SSL_CTX_new(TLS_client_method()) else { throw TLSError("SSL_CTX_new") }
        unsafe pointer = unsafe context
        guard unsafe sy_ssl_ctx_harden_client(context) == 1 else { throw TLSError("the TLS settings were refused") }
        if let authorities {
            guard unsafe SSL_CTX_load_verify_file(context, authorities) == 1 else {
                throw TLSError("the certificates in \"\(authorities)\" cannot be used")
            }
        } else {
            guard unsafe SSL_CTX_set_default_verify_paths(context) == 1 else {
                throw TLSError("the system's certificates cannot be used")
            }
        }
        guard let identity else { return }
        guard unsafe sy_ssl_ctx_use_chain_file(context, identity.certificateChain) == 1 else {
            throw TLSError("certificate \"\(identity.certificateChain)\" cannot be used")
        }
        guard unsafe SSL_CTX_use_PrivateKey_file(context, identity.privateKey, SSL_FILETYPE_PEM) == 1,
            unsafe SSL_CTX_check_private_key(context) == 1
        else { throw TLSError("private key \"\(identity.privateKey)\" cannot be used") }
    }

    deinit { unsafe SSL_CTX_free(pointer) }

    /// A fresh session that takes only a certificate for `host`, a name or a numeric address; the caller owns it.
    fileprivate func makeSession(for host: String) -> OpaquePointer? {
        guard let session = unsafe SSL_new(pointer) else { return nil }
        guard unsafe sy_ssl_expect_host(session, host) == 1 else {
            unsafe SSL_free(session)
            return nil
        }
        return unsafe session
    }
}

/// The client's side of one TLS connection on a reactor socket. It belongs to the socket's loop; reading and
/// writing may be two tasks of it.
///
/// Why `@unchecked Sendable`: its tasks run on the loop's thread, where alone it is touched.
@safe public final class ClientStream: @unchecked Sendable {
    public let socket: Socket
    private let session: OpaquePointer
    private let state: UnsafeMutablePointer<sy_socket_state>

    /// - Parameter host: whom the server's certificate has to be for.
    /// - Throws: ``TLSError`` when memory is short.
    public init(_ socket: Socket, to host: String, _ context: ClientContext) throws(TLSError) {
        ERR_clear_error()
        guard let session = unsafe context.makeSession(for: host) else { throw TLSError("SSL_new") }
        let state = UnsafeMutablePointer<sy_socket_state>.allocate(capacity: 1)
        unsafe state.initialize(
            to: sy_socket_state(
                fd: socket.descriptor, readable: 0, end_of_file: 0, holds: 0, held: nil, held_count: 0,
                held_capacity: 0))
        self.socket = socket
        unsafe self.session = unsafe session
        unsafe self.state = unsafe state
        guard let bio = unsafe sy_bio_new_socket(state) else { throw TLSError("BIO_new") }
        unsafe SSL_set_bio(session, bio, bio)
        unsafe SSL_set_connect_state(session)
    }

    deinit {
        unsafe SSL_free(session)
        unsafe sy_socket_state_drop(state)
        unsafe state.deallocate()
    }

    /// Performs the handshake, up to the socket's deadline.
    /// - Throws: ``TLSError``: the server is not the one that it should be, or speaks no TLS.
    public func handshake() async throws(TLSError) {
        while !socket.isClosed {
            ERR_clear_error()
            let result = unsafe SSL_do_handshake(session)
            if result == 1 { return }
            let wake: Wake
            switch unsafe SSL_get_error(session, result) {
            case SSL_ERROR_WANT_READ: wake = await readable()
            case SSL_ERROR_WANT_WRITE: wake = await socket.writable()
            default: throw failure()
            }
            guard wake == .ready else { throw TLSError("the TLS handshake did not end in time", reasons: []) }
        }
        throw TLSError("the connection was closed", reasons: [])
    }

    private func failure() -> TLSError {
        let verification = unsafe SSL_get_verify_result(session)
        guard verification != Int(X509_V_OK) else { return TLSError("the TLS handshake failed") }
        let reason = unsafe X509_verify_cert_error_string(verification).map { unsafe String(cString: $0) }
        ERR_clear_error()
        return TLSError("the server's certificate is not believed", reasons: [reason ?? "error \(verification)"])
    }

    /// Reads what is there into `buffer` from `offset` to its end, without waiting.
    public func read(into buffer: inout [UInt8], at offset: Int) -> ReadResult {
        guard !socket.isClosed else { return .failed }
        ERR_clear_error()
        var count = 0
        let result = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe SSL_read_ex(session, bytes.baseAddress?.advanced(by: offset), bytes.count - offset, &count)
        }
        return result == 1 ? .bytes(count) : outcome(of: result)
    }

    /// Writes what the connection takes of `bytes` from `offset` on, without waiting. After ``ReadResult/wouldBlock``
    /// the same bytes have to come again.
    public func write(_ bytes: [UInt8], from offset: Int) -> ReadResult {
        guard !socket.isClosed else { return .failed }
        ERR_clear_error()
        var count = 0
        let result = unsafe bytes.withUnsafeBytes { bytes in
            unsafe SSL_write_ex(session, bytes.baseAddress?.advanced(by: offset), bytes.count - offset, &count)
        }
        return result == 1 ? .bytes(count) : outcome(of: result)
    }

    /// Waits until a read may get further.
    public func readable() async -> Wake {
        let wake = await socket.readable()
        unsafe state.pointee.readable = 1
        return wake
    }

    /// Closes the connection with `close_notify`.
    public func close() {
        if !socket.isClosed, unsafe SSL_in_init(session) == 0 {
            ERR_clear_error()
            _ = unsafe SSL_shutdown(session)
        }
        socket.shutDown()
    }

    private func outcome(of result: Int32) -> ReadResult {
        switch unsafe SSL_get_error(session, result) {
        case SSL_ERROR_WANT_READ, SSL_ERROR_WANT_WRITE: .wouldBlock
        case SSL_ERROR_ZERO_RETURN: .endOfStream
        default: unsafe state.pointee.end_of_file != 0 ? .endOfStream : .failed
        }
    }
}
