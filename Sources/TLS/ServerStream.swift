internal import SwitchyardCOpenSSL
public import SwitchyardReactor

/// The server's side of one TLS connection on a reactor socket. It belongs to the socket's loop and to one task.
///
/// Why `@unchecked Sendable`: a connection's task runs on the loop's thread, where alone it is touched.
@safe public final class ServerStream: @unchecked Sendable {
    public let socket: Socket
    /// Keeps the certificate and the name table alive as long as the handshake may ask for them.
    private let context: ServerContext
    /// nil until the client's first message is whole, because a session takes 45 KB then.
    private var session: OpaquePointer?
    /// nil once the handshake is over and OpenSSL has taken all bytes that were read for it.
    private var opening: Opening?
    private var state: sy_socket_state

    public init(_ socket: Socket, context: ServerContext) {
        self.socket = socket
        self.context = context
        opening = Opening()
        unsafe state = unsafe sy_socket_state(
            fd: socket.descriptor, readable: 0, end_of_file: 0, key_updates: 0, held: nil, input: nil, input_left: 0)
    }

    deinit {
        if let session = unsafe session { unsafe SSL_free(session) }
    }

    /// Lets the session read and write on the socket while `body` runs. A server's sessions have no socket of their
    /// own, so a waiting one takes no memory for it.
    private func onSocket<Result>(_ session: OpaquePointer, _ body: () -> Result) -> Result {
        unsafe withUnsafeMutablePointer(to: &state) { state in
            unsafe sy_ssl_attach(session, state)
            return body()
        }
    }

    /// Lends the session the bytes that were read for it, before those of the socket.
    private func lendingInput<Result>(
        of opening: Opening, to session: OpaquePointer, _ body: () -> Result
    ) -> Result {
        let count = opening.input.count
        let result = unsafe opening.input.withUnsafeBufferPointer { input in
            unsafe state.input = input.baseAddress
            unsafe state.input_left = input.count
            defer { unsafe state.input = nil }
            return unsafe onSocket(session, body)
        }
        let left = unsafe state.input_left
        opening.input.removeFirst(count - left)
        unsafe state.input_left = 0
        return result
    }

    /// Performs the handshake, up to the socket's deadline.
    /// - Returns: whether it succeeded. A failure is the client's and throws no error.
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
        guard !socket.isClosed, let opening else { return .failed }
        while true {
            if let session = unsafe session {
                let step = unsafe handshakeStep(session, opening)
                guard case .needsRead = step else { return step }
            }
            switch receive(opening) {
            case .bytes: continue
            case .wouldBlock: return .needsRead
            case .endOfStream, .failed: return .failed
            }
        }
    }

    private func handshakeStep(_ session: OpaquePointer, _ opening: Opening) -> HandshakeStep {
        ERR_clear_error()
        // The session reads only bytes that ``Opening`` has judged.
        unsafe state.readable = 0
        let result = unsafe lendingInput(of: opening, to: session) { unsafe SSL_do_handshake(session) }
        if result == 1 {
            unsafe sy_ssl_settle(session)
            unsafe state.readable = socket.mayHaveInput ? 1 : 0
            if opening.input.isEmpty { self.opening = nil }
            return .done
        }
        let error = unsafe SSL_get_error(session, result)
        if unsafe SSL_version(session) != TLS1_3_VERSION { opening.later = nil }
        return switch error {
        case SSL_ERROR_WANT_READ: .needsRead
        case SSL_ERROR_WANT_WRITE: .needsWrite
        default: .failed
        }
    }

    /// Reads the available bytes for the handshake. Makes the session once the client's first message is whole.
    private func receive(_ opening: Opening) -> ReadResult {
        var room = socket.loop.buffers.take()
        defer { socket.loop.buffers.give(room) }
        let result = socket.read(into: &room, at: 0)
        guard case .bytes(let count) = result else { return result }
        switch opening.judge(room[..<count]) {
        case .incomplete: return result
        case .refused(let alert):
            if let alert { _ = socket.write(alert.record, from: 0) }
            return .failed
        case .complete:
            if unsafe session == nil { unsafe session = unsafe context.makeSession() }
            return unsafe session == nil ? .failed : result
        }
    }

    /// The memory that the bytes of an unfinished first message take.
    public var heldBytes: Int { unsafe session == nil ? opening?.hello.heldBytes ?? 0 : 0 }

    /// The client's certificate, unverified; nil if it was not asked or showed no certificate. Read it after the
    /// handshake, and only if needed: each read looks into the session.
    public var clientCertificate: ClientCertificate? {
        guard !socket.isClosed, let session = unsafe session else { return nil }
        return unsafe ClientCertificate(of: session)
    }

    /// Reads the available bytes into `buffer` from `offset` to its end, without waiting.
    public func read(into buffer: inout [UInt8], at offset: Int) -> ReadResult {
        guard !socket.isClosed, let session = unsafe session else { return .failed }
        var count = 0
        let result = unsafe buffer.withUnsafeMutableBytes { bytes in
            func read() -> Int32 {
                unsafe SSL_read_ex(session, bytes.baseAddress?.advanced(by: offset), bytes.count - offset, &count)
            }
            guard let opening else { return unsafe onSocket(session, read) }
            return unsafe lendingInput(of: opening, to: session, read)
        }
        if let opening, opening.input.isEmpty { self.opening = nil }
        if result == 1 { return .bytes(count) }
        return unsafe failure(session)
    }

    /// Writes as many of `bytes` from `offset` on as the connection takes, without waiting.
    public func write(_ bytes: [UInt8], from offset: Int) -> ReadResult {
        guard !socket.isClosed, let session = unsafe session else { return .failed }
        var count = 0
        let result = unsafe bytes.withUnsafeBytes { bytes in
            unsafe onSocket(session) {
                unsafe SSL_write_ex(session, bytes.baseAddress?.advanced(by: offset), bytes.count - offset, &count)
            }
        }
        if result == 1 { return .bytes(count) }
        return unsafe failure(session)
    }

    /// Whether a read may give something without waiting first.
    public var mayHaveInput: Bool {
        if unsafe state.readable != 0 || opening != nil { return true }
        guard let session = unsafe session else { return false }
        return unsafe SSL_has_pending(session) == 1
    }

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
        guard !socket.isClosed, let session = unsafe session, unsafe SSL_in_init(session) == 0 else { return }
        ERR_clear_error()
        _ = unsafe onSocket(session) { unsafe SSL_shutdown(session) }
    }

    /// Encrypts `bytes` and `close_notify` into one piece for the socket, so the last answer of a connection is one
    /// system call and one packet. It must be the last write.
    /// - Returns: the records, or nil if the session has failed.
    func sealLast(_ bytes: [UInt8]) -> [UInt8]? {
        guard let session = unsafe session else { return nil }
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
            _ = unsafe onSocket(session) { unsafe SSL_shutdown(session) }
            return true
        }
        return isWhole ? unsafe Array(UnsafeBufferPointer(start: held.bytes, count: held.count)) : nil
    }

    /// The result of a failed read or write. The session's state says enough. `SSL_get_error` would need the thread's
    /// error queue emptied before each call, successful ones too.
    private func failure(_ session: OpaquePointer) -> ReadResult {
        if unsafe sy_ssl_would_block(session) != 0 { return .wouldBlock }
        ERR_clear_error()
        return unsafe SSL_get_shutdown(session) & SSL_RECEIVED_SHUTDOWN != 0 ? .endOfStream : .failed
    }
}

/// The state of a connection until its handshake is over.
private final class Opening {
    var hello = FirstHello()
    /// nil before the first message is whole, and where later ones are not to be judged.
    var later: LaterHello?
    private var hasHello = false
    /// Bytes that were judged and that the session has not read.
    var input: [UInt8] = []

    enum Verdict {
        case incomplete
        /// There is ``input`` for the session.
        case complete
        case refused(FirstHello.Alert?)
    }

    /// Judges bytes of the client before the session reads them.
    func judge(_ bytes: ArraySlice<UInt8>) -> Verdict {
        if hasHello {
            if later?.permits(bytes) == false { return .refused(.illegalParameter) }
            input += bytes
            return .complete
        }
        switch hello.read(bytes) {
        case .incomplete: return .incomplete
        case .refused(let alert): return .refused(alert)
        case .complete(let records):
            var later = LaterHello()
            hello = FirstHello()
            // Its first message is the one that was judged already.
            guard later.permits(records[...]) else { return .refused(.illegalParameter) }
            (self.later, input, hasHello) = (later, records, true)
            return .complete
        }
    }
}
