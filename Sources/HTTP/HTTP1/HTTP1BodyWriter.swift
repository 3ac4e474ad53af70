internal import SwitchyardReactor
internal import SwitchyardTLS

/// A streamed body on an HTTP/1 connection: in chunks (RFC 9112 section 7.1), or up to the end of the connection for a
/// client of HTTP/1.0.
///
/// Why `@unchecked Sendable`: it is used on the connection's loop only, by the task that answers.
final class HTTP1BodyWriter: BodyWriter, @unchecked Sendable {
    enum Framing { case chunked, untilClose }

    let connection: ConnectionContext
    private let stream: ByteStream
    private let framing: Framing
    private let timeout: Duration
    /// The head, until the first piece takes it along.
    private var head: [UInt8]
    private var hasFailed = false

    init(_ stream: ByteStream, head: [UInt8], _ framing: Framing, timeout: Duration, connection: ConnectionContext) {
        self.stream = stream
        self.head = head
        self.framing = framing
        self.timeout = timeout
        self.connection = connection
    }

    func write(_ piece: [UInt8]) async -> Bool {
        guard !hasFailed, !piece.isEmpty else { return !hasFailed }
        switch framing {
        case .chunked: await send(Array((String(piece.count, radix: 16) + "\r\n").utf8) + piece + [0x0D, 0x0A])
        case .untilClose: await send(piece)
        }
        return !hasFailed
    }

    /// Writes the end of the body.
    /// - Returns: whether the client has the whole of it.
    func finish() async -> Bool {
        guard !hasFailed else { return false }
        switch framing {
        case .chunked: await send(Array("0\r\n\r\n".utf8))
        case .untilClose: await send([])
        }
        return !hasFailed
    }

    private func send(_ bytes: [UInt8]) async {
        stream.socket.deadline = stream.socket.loop.now + timeout
        let bytes = head + bytes
        head = []
        hasFailed = !(await stream.write(bytes))
        stream.socket.deadline = .never
    }
}
