internal import SwitchyardCOpenSSL
public import SwitchyardReactor

/// The server's side of one TLS connection on a reactor socket. It belongs to the socket's loop and to one task.
///
/// Why `@unchecked Sendable`: a connection's task runs on the loop's thread, where alone it is touched.
@safe public final class ServerStream: @unchecked Sendable {
    public let socket: Socket
    /// Keeps the certificate and the name table alive as long as the handshake may ask for them.
    private let context: ServerContext
    private let session: OpaquePointer
    private var state: sy_socket_state

    /// - Throws: ``TLSError`` when memory is short.
    public init(_ socket: Socket, context: ServerContext) throws(TLSError) {
        guard let session = unsafe context.makeSession() else { throw TLSError("SSL_new") }
        self.socket = socket
        self.context = context
        unsafe self.session = unsafe session
        unsafe state = unsafe sy_socket_state(fd: socket.descriptor, readable: 0, end_of_file: 0, held: nil)
        guard unsafe sy_ssl_use_thread(session) == 1 else { throw TLSError("BIO_new") }
        unsafe SSL_set_accept_state(session)
    }

    deinit {
        unsafe SSL_free(session)
    }

    /// Lets the session read and write on the socket for as long as `body` runs. A server's sessions have no socket of
    /// their own in between, so that one that waits takes no memory for it.
    private func onSocket<Result>(_ body: () -> Result) -> Result {
        unsafe withUnsafeMutablePointer(to: &state) { state in
            unsafe sy_ssl_attach(session, state)
            return body()
        }
    }

    /// Performs the handshake, up to the socket's deadline.
    /// - Returns: whether it succeeded; a client that fails it is nobody's error but its own.
    public func handshake() async -> Bool {
        while true {
            switch handshakeStep() {
            case .done: return true
            case .needsRead: guard await readable() == .ready else { return false }
            case .needsWrite: guard await writable() == .ready else { return false }
            case .failed: return false
            }
        }
    }

    /// How far a handshake has come.
    public enum HandshakeStep: Sendable {
        case done, needsRead, needsWrite, failed
    }

    /// Goes on with the handshake as far as it gets without waiting. The client speaks first.
    public func handshakeStep() -> HandshakeStep {
        guard !socket.isClosed else { return .failed }
        ERR_clear_error()
        let result = onSocket { unsafe SSL_do_handshake(session) }
        if result == 1 {
            unsafe sy_ssl_settle(session)
            return .done
        }
        return switch unsafe SSL_get_error(session, result) {
        case SSL_ERROR_WANT_READ: .needsRead
        case SSL_ERROR_WANT_WRITE: .needsWrite
        default: .failed
        }
    }

    /// What the client showed of itself; nil when it was not asked or showed nothing. Not verified. To be asked for
    /// after the handshake, and only by who needs it: each time it is a look into the session.
    public var clientCertificate: ClientCertificate? {
        socket.isClosed ? nil : unsafe ClientCertificate(of: session)
    }

    /// Reads what is there into `buffer` from `offset` to its end, without waiting.
    public func read(into buffer: inout [UInt8], at offset: Int) -> ReadResult {
        guard !socket.isClosed else { return .failed }
        var count = 0
        let result = unsafe buffer.withUnsafeMutableBytes { bytes in
            onSocket {
                unsafe SSL_read_ex(session, bytes.baseAddress?.advanced(by: offset), bytes.count - offset, &count)
            }
        }
        if result == 1 { return .bytes(count) }
        return failure()
    }

    /// Writes what the connection takes of `bytes` from `offset` on, without waiting.
    public func write(_ bytes: [UInt8], from offset: Int) -> ReadResult {
        guard !socket.isClosed else { return .failed }
        var count = 0
        let result = unsafe bytes.withUnsafeBytes { bytes in
            onSocket {
                unsafe SSL_write_ex(session, bytes.baseAddress?.advanced(by: offset), bytes.count - offset, &count)
            }
        }
        if result == 1 { return .bytes(count) }
        return failure()
    }

    /// Whether a read may give something without waiting first.
    public var mayHaveInput: Bool { unsafe state.readable != 0 || SSL_has_pending(session) == 1 }

    /// Waits until a read may get further.
    public func readable() async -> Wake {
        let wake = await socket.readable()
        unsafe state.readable = 1
        return wake
    }

    /// The next bytes will be there when a read is tried again.
    func expectsInput() {
        unsafe state.readable = 1
    }

    /// Waits until a write may get further.
    public func writable() async -> Wake {
        await socket.writable()
    }

    /// Says `close_notify`, so that the peer can tell a whole answer from a cut one. Does not wait for the peer's.
    public func sayGoodbye() {
        guard !socket.isClosed, unsafe SSL_in_init(session) == 0 else { return }
        ERR_clear_error()
        _ = onSocket { unsafe SSL_shutdown(session) }
    }

    /// Encrypts `bytes` and `close_notify` into one piece for the socket, so that the last answer of a connection is
    /// one system call and one packet. Nothing may be written after it.
    /// - Returns: the records, or nil when the session has failed.
    func sealLast(_ bytes: [UInt8]) -> [UInt8]? {
        var held = unsafe sy_held_bytes()
        defer { unsafe sy_held_bytes_free(&held) }
        let isWhole = unsafe withUnsafeMutablePointer(to: &held) { held in
            unsafe state.held = unsafe held
            defer { unsafe state.held = nil }
            ERR_clear_error()
            var offset = 0
            while offset < bytes.count {
                guard case .bytes(let count) = write(bytes, from: offset) else { return false }
                offset += count
            }
            _ = onSocket { unsafe SSL_shutdown(session) }
            return true
        }
        return isWhole ? unsafe Array(UnsafeBufferPointer(start: held.bytes, count: held.count)) : nil
    }

    /// What a read or a write that did not succeed came to. `SSL_get_error` would look into the thread's error queue,
    /// which would have to be emptied before each call, good ones too; the session itself knows as well.
    private func failure() -> ReadResult {
        if unsafe sy_ssl_would_block(session) != 0 { return .wouldBlock }
        ERR_clear_error()
        return unsafe SSL_get_shutdown(session) & SSL_RECEIVED_SHUTDOWN != 0 ? .endOfStream : .failed
    }
}
