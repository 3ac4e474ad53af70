public import SwitchyardReactor

/// A connection's bytes, encrypted or not. Belongs to the socket's loop and to one task.
public enum ByteStream: Sendable {
    case plain(Socket)
    case tls(ServerStream)

    public var socket: Socket {
        switch self {
        case .plain(let socket): socket
        case .tls(let stream): stream.socket
        }
    }

    /// nil for plain bytes.
    public var tls: ServerStream? {
        if case .tls(let stream) = self { stream } else { nil }
    }

    /// Reads the available bytes into `buffer` from `offset` to its end, without waiting.
    public func read(into buffer: inout [UInt8], at offset: Int) -> ReadResult {
        switch self {
        case .plain(let socket): socket.read(into: &buffer, at: offset)
        case .tls(let stream): stream.read(into: &buffer, at: offset)
        }
    }

    /// Waits until a read may get further, at most until the socket's deadline.
    public func readable() async -> Wake {
        switch self {
        case .plain(let socket): await socket.readable()
        case .tls(let stream): await stream.readable()
        }
    }

    /// Calls `observer` once when a read may get further, like ``readable()`` comes back.
    public func whenReadable(_ observer: any SocketObserver) {
        if case .tls(let stream) = self { stream.expectsInput() }
        socket.whenReadable(observer)
    }

    /// Whether a read may give something without waiting first. If so, ``readable()`` might wait in vain.
    public var mayHaveInput: Bool {
        switch self {
        case .plain(let socket): socket.mayHaveInput
        case .tls(let stream): stream.mayHaveInput
        }
    }

    /// Writes all of `bytes`, waiting for the peer at most until the socket's deadline.
    /// - Returns: whether all of it was taken.
    public func write(_ bytes: [UInt8]) async -> Bool {
        var offset = 0
        while offset < bytes.count {
            switch writeSome(bytes, from: offset) {
            case .bytes(let count): offset += count
            case .wouldBlock: guard await writable() == .ready else { return false }
            case .endOfStream, .failed: return false
            }
        }
        return true
    }

    /// The result of a write that does not wait.
    public enum Written: Sendable {
        case all
        /// The rest to write; encrypted already if it must go out below TLS.
        case rest(ArraySlice<UInt8>, isEncrypted: Bool)
        case failed
    }

    /// Writes as many of `bytes` as the connection takes at once.
    public func writeNow(_ bytes: [UInt8]) -> Written {
        var offset = 0
        while offset < bytes.count {
            switch writeSome(bytes, from: offset) {
            case .bytes(let count): offset += count
            case .wouldBlock: return .rest(bytes[offset...], isEncrypted: false)
            case .endOfStream, .failed: return .failed
            }
        }
        return .all
    }

    /// Writes `bytes` as the last ones like ``writeLast(_:)``, without waiting. Does not close the socket.
    public func writeLastNow(_ bytes: [UInt8]) -> Written {
        guard case .tls(let stream) = self else { return writeNow(bytes) }
        guard let records = stream.sealLast(bytes) else { return .failed }
        if case .rest(let rest, _) = ByteStream.plain(socket).writeNow(records) {
            return .rest(rest, isEncrypted: true)
        }
        return .all
    }

    /// Writes all of `bytes` as the last ones, and closes; over TLS with `close_notify` in the same piece.
    public func writeLast(_ bytes: [UInt8]) async {
        defer { socket.shutDown() }
        guard case .tls(let stream) = self else {
            _ = await write(bytes)
            return
        }
        guard let records = stream.sealLast(bytes) else { return }
        _ = await ByteStream.plain(socket).write(records)
    }

    /// Closes the connection; over TLS with `close_notify`.
    public func close() {
        if case .tls(let stream) = self { stream.sayGoodbye() }
        socket.shutDown()
    }

    /// Closes the writing side, and reads and drops all that the peer still sends, until its end or the socket's
    /// deadline. Then closes. Otherwise unread bytes would make the kernel reset the connection under the last answer.
    public func closeAfterDraining() async {
        if case .tls(let stream) = self { stream.sayGoodbye() }
        socket.shutDownWriting()
        var scratch = [UInt8](repeating: 0, count: 4096)
        var budget = 64
        while budget > 0 {
            switch socket.read(into: &scratch, at: 0) {
            case .bytes: budget -= 1
            case .wouldBlock: if await socket.readable() != .ready { budget = 0 }
            case .endOfStream, .failed: budget = 0
            }
        }
        socket.shutDown()
    }

    private func writeSome(_ bytes: [UInt8], from offset: Int) -> ReadResult {
        switch self {
        case .plain(let socket): socket.write(bytes, from: offset)
        case .tls(let stream): stream.write(bytes, from: offset)
        }
    }

    private func writable() async -> Wake {
        switch self {
        case .plain(let socket): await socket.writable()
        case .tls(let stream): await stream.writable()
        }
    }
}
