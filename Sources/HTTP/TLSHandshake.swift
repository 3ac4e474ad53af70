internal import SwitchyardReactor
internal import SwitchyardTLS

/// A connection until TLS has agreed on keys and a protocol. Like every connection, it waits for the peer without a
/// task.
///
/// Why `@unchecked Sendable`: it lives on its loop's thread.
final class TLSHandshake: ServerConnection, SocketObserver, @unchecked Sendable {
    private let accepted: AcceptedConnection
    private let tls: ServerStream
    private let worker: ServerWorker
    private var isStopping = false
    /// More than the first packet of a hello has, and less than half of the longest hello.
    private static let uncountedBytes = 4 << 10
    /// The bytes that the connection counts in ``UnfinishedBytes``.
    private var unfinishedBytes = 0

    init(_ tls: ServerStream, _ accepted: AcceptedConnection, _ worker: ServerWorker) {
        self.tls = tls
        self.accepted = accepted
        self.worker = worker
    }

    func start() {
        tls.socket.deadline = worker.loop.now + worker.limits.handshakeTimeout
        accepted.stream.whenReadable(self)
    }

    /// Lets the handshake end: the HTTP connection behind it then tells a new client that the server stops.
    func stop() {
        isStopping = true
        tls.socket.deadline = min(tls.socket.deadline, worker.loop.now + worker.lastChance)
    }

    func abandon() { tls.socket.shutDown() }

    func socketIsReady(_ wake: Wake) {
        guard wake == .ready else { return end(wake == .expired ? .timedOut : .failed) }
        let step = tls.handshakeStep()
        guard count(tls.heldBytes) else { return end(.failed) }
        switch step {
        case .done: end(.ok)
        case .needsRead: accepted.stream.whenReadable(self)
        case .needsWrite: worker.loop.start { [self] in end(await tls.handshake() ? .ok : .failed) }
        case .failed: end(.failed)
        }
    }

    /// Counts the memory of a first message that is not whole.
    ///
    /// A browser's hello takes two packets, so a first packet is never refused: a flood of others would shut that browser out.
    /// The limit on connections bounds these bytes.
    /// - Returns: whether there may be as much.
    private func count(_ held: Int) -> Bool {
        let bytes = held > Self.uncountedBytes ? held : 0
        guard worker.unfinished.change(from: unfinishedBytes, to: bytes, of: accepted.network) else { return false }
        unfinishedBytes = bytes
        return true
    }

    private func end(_ result: ServerCounts.Handshake) {
        _ = count(0)
        worker.count(result)
        if result == .ok { return worker.begin(accepted, isStopping: isStopping) }
        tls.socket.shutDown()
        worker.forget(accepted)
    }
}
