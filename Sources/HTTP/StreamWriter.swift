internal import SwitchyardReactor
internal import SwitchyardTLS

/// Writes a body piece by piece. Belongs to the connection's loop.
///
/// Why `@unchecked Sendable`: it is used on the connection's loop only, by the task that answers.
public final class StreamWriter: @unchecked Sendable {
    private let stream: ByteStream
    private let isChunked: Bool
    private let timeout: Duration
    public let connection: ConnectionContext
    private(set) var hasFailed = false

    init(_ stream: ByteStream, isChunked: Bool, timeout: Duration, connection: ConnectionContext) {
        self.stream = stream
        self.isChunked = isChunked
        self.timeout = timeout
        self.connection = connection
    }

    /// Writes one piece and waits until the connection has taken it.
    /// - Returns: false when the peer is gone or does not read; then nothing more can be written.
    @discardableResult
    public func write(_ piece: [UInt8]) async -> Bool {
        guard !hasFailed, !piece.isEmpty else { return !hasFailed }
        var out: [UInt8] = []
        if isChunked {
            out.append(contentsOf: (String(piece.count, radix: 16) + "\r\n").utf8)
            out.append(contentsOf: piece)
            out.append(contentsOf: [0x0D, 0x0A])
        } else {
            out = piece
        }
        stream.socket.deadline = stream.socket.loop.now + timeout
        hasFailed = !(await stream.write(out))
        stream.socket.deadline = .never
        return !hasFailed
    }

    func finish() async {
        guard isChunked, !hasFailed else { return }
        stream.socket.deadline = stream.socket.loop.now + timeout
        hasFailed = !(await stream.write(Array("0\r\n\r\n".utf8)))
    }
}
