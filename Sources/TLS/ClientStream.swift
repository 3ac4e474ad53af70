internal import SwitchyardCOpenSSL
public import SwitchyardReactor

/// The client's side of one TLS connection on a reactor socket. It belongs to the socket's loop; reading and
/// writing may be two tasks of it.
///
/// Why `@unchecked Sendable`: its tasks run on the loop's thread, where alone it is touched.
@safe public final class ClientStream: @unchecked Sendable {
    public let socket: Socket
    private let session: OpaquePointer
    private let state: UnsafeMutablePointer<sy_socket_state>

    /// - Parameter host: the name that the server's certificate must have.
    /// - Throws: ``TLSError`` if memory is short.
    public init(_ socket: Socket, to host: String, _ context: ClientContext) throws(TLSError) {
        ERR_clear_error()
        guard let session = unsafe context.makeSession(for: host) else { throw TLSError("SSL_new") }
        let state = UnsafeMutablePointer<sy_socket_state>.allocate(capacity: 1)
        unsafe state.initialize(
            to: sy_socket_state(
                fd: socket.descriptor, readable: 0, end_of_file: 0, key_updates: 0, held: nil, input: nil,
                input_left: 0))
        self.socket = socket
        unsafe self.session = unsafe session
        unsafe self.state = unsafe state
        guard let bio = unsafe sy_bio_new_socket(state) else { throw TLSError("BIO_new") }
        unsafe SSL_set_bio(session, bio, bio)
        unsafe SSL_set_connect_state(session)
    }

    deinit {
        unsafe SSL_free(session)
        unsafe state.deallocate()
    }

    /// Performs the handshake, up to the socket's deadline.
    /// - Throws: ``TLSError`` if the server's certificate is wrong, or it does not speak TLS.
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

    /// Reads the available bytes into `buffer` from `offset` to its end, without waiting.
    public func read(into buffer: inout [UInt8], at offset: Int) -> ReadResult {
        guard !socket.isClosed else { return .failed }
        ERR_clear_error()
        var count = 0
        let result = unsafe buffer.withUnsafeMutableBytes { bytes in
            unsafe SSL_read_ex(session, bytes.baseAddress?.advanced(by: offset), bytes.count - offset, &count)
        }
        return result == 1 ? .bytes(count) : outcome(of: result)
    }

    /// Writes as many of `bytes` from `offset` on as the connection takes, without waiting. After
    /// ``ReadResult/wouldBlock``, pass the same bytes again.
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
