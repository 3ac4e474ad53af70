internal import SwitchyardReactor
internal import SwitchyardTLS
internal import Synchronization

/// A server's part on one loop: its acceptors and its connections.
///
/// Why `@unchecked Sendable`: what changes is touched on the loop's thread only.
final class ServerWorker: @unchecked Sendable {
    let loop: EventLoop
    var limits: HTTPLimits {
        didSet { idleTimeout = Nanoseconds(limits.idleTimeout) }
    }
    /// The one of the limits that is looked at after every request.
    private(set) var idleTimeout: Nanoseconds
    let service: any Service
    /// For HTTP/1.
    let encoder = ResponseEncoder()
    /// For reuse by the next request, to save allocations.
    private var spareRequest: Request?
    private var spareOutput: [UInt8] = []
    private let limiter: ConnectionLimiter
    var unfinished: UnfinishedBytes { limiter.unfinished }
    private var acceptors: [Acceptor] = []
    /// By ``AcceptedConnection/id``.
    private var connections: [ObjectIdentifier: any ServerConnection] = [:]
    private var refusals = 0
    private var ownCounts = ServerCounts()
    /// Answers that are not in `ownCounts` yet, by their places there.
    private var answered: [Tally] = []
    /// How long a stopping server waits for the first request of a connection.
    private(set) var lastChance = Duration.seconds(1)
    private var onEmpty: Signal?

    /// Connections over the limit that are told so at one time; further ones are closed without a word.
    private static let maximumRefusals = 64

    init(_ loop: EventLoop, limits: HTTPLimits, connections: ConnectionLimiter, service: any Service) {
        self.loop = loop
        self.limits = limits
        idleTimeout = Nanoseconds(limits.idleTimeout)
        limiter = connections
        self.service = service
    }

    func accept(from listener: OpenListener) {
        ownCounts.makeRoom(for: listener.number)
        while answered.count < ownCounts.responseCount { answered.append(Tally()) }
        let acceptor = listener.socket.accept(on: loop) { [unowned self] socket, peer in
            serve(socket, peer, listener)
        }
        acceptors.append(acceptor)
    }

    private func serve(_ socket: Socket, _ peer: Peer, _ listener: OpenListener) {
        let limiter = listener.connections ?? limiter
        let program = limiter.countsPrograms ? socket.peerProgram : nil
        let admission = limiter.admit(peer, program: program, reserve: listener.reserve)
        if case .failure(let refusal) = admission {
            ownCounts.turnedAway(by: refusal)
            if refusals >= Self.maximumRefusals { return socket.shutDown() }
        }
        let tls = listener.context.withLock { $0 }
        let stream = tls.map { ByteStream.tls(ServerStream(socket, context: $0)) } ?? .plain(socket)
        let context = ConnectionContext(
            peer: peer, isSecure: tls != nil, listener: listener.number, port: listener.socket.port, socket: socket,
            tls: stream.tls)
        let accepted = AcceptedConnection(
            stream: stream, context: context, limiter: limiter, admission: admission)
        ownCounts.opened(on: listener.number)
        if case .failure = admission { refusals += 1 }
        guard let tls = stream.tls else { return begin(accepted) }
        let handshake = TLSHandshake(tls, accepted, self)
        connections[accepted.id] = handshake
        handshake.start()
    }

    /// Chooses the protocol of a connection from now on. Without TLS, and with each of ``Server/protocols`` that ALPN
    /// may have agreed on, this is HTTP/1.
    /// - Parameter isStopping: whether it was told to stop before.
    func begin(_ accepted: AcceptedConnection, isStopping: Bool = false) {
        let connection = HTTP1Connection(accepted, self)
        connections[accepted.id] = connection
        if isStopping { connection.stop() }
        connection.start()
    }

    /// A request to read into, with the room that an earlier one needed.
    func takeRequest(for context: ConnectionContext) -> Request {
        guard var request = spareRequest.take() else { return Request(connection: context) }
        request.connection = context
        return request
    }

    /// Takes a request back for reuse. The caller must hold the only reference.
    func giveBack(_ request: consuming Request) {
        request.fields.lines.removeAll(keepingCapacity: true)
        request.body = []
        spareRequest = consume request
    }

    /// Empty, with the room that an earlier answer needed.
    func takeOutput() -> [UInt8] {
        let output = spareOutput
        spareOutput = []
        return output
    }

    func giveBack(_ output: consuming [UInt8]) {
        guard output.count <= BufferPool.bufferSize else { return }
        output.removeAll(keepingCapacity: true)
        spareOutput = consume output
    }

    /// The connection is over.
    func forget(_ connection: AcceptedConnection) {
        connections[connection.id] = nil
        ownCounts.closed(on: connection.context.listener)
        switch connection.admission {
        case .success(let admission): connection.limiter.release(admission)
        case .failure: refusals -= 1
        }
        if connections.isEmpty { onEmpty?.raise() }
    }

    /// The counts of this loop. Only on its thread; see ``Server/counts``.
    var counts: ServerCounts {
        for (index, tally) in answered.enumerated() { ownCounts.add(tally.take(), responsesAt: index) }
        return ownCounts
    }

    func count(_ result: ServerCounts.Handshake) { ownCounts.handshakeEnded(result) }

    /// The answer is about to be written.
    func count(_ response: Response, on connection: ConnectionContext) {
        answered[ServerCounts.index(ofResponse: response.status, on: connection.listener)].add()
    }

    func drain(lastChance: Duration = .seconds(1)) {
        self.lastChance = lastChance
        for acceptor in acceptors { acceptor.stop() }
        acceptors = []
        for connection in connections.values { connection.stop() }
    }

    /// Waits on the loop until all connections are closed; closes those that remain at `deadline`, unless they may
    /// continue.
    /// - Returns: how many those were.
    @discardableResult
    func waitUntilEmpty(_ deadline: Instant, abandons: Bool = true) async -> Int {
        await loop.perform { [self] in
            while !connections.isEmpty, Instant.now() < deadline {
                let signal = Signal()
                onEmpty = signal
                _ = await signal.wait(until: deadline)
            }
            let remaining = connections.count
            if abandons { for connection in connections.values { connection.abandon() } }
            return remaining
        }
    }
}
