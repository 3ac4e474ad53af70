public import SwitchyardReactor
public import SwitchyardTLS
internal import Synchronization

/// One listener of a server.
public struct Listener: Sendable {
    public let address: ListenAddress
    /// nil for plain HTTP.
    public let context: ServerContext?
    /// Given to the service with each request, as ``ConnectionContext/listener``.
    public let number: Int
    /// The connections that this listener takes above the server's maximum, so that a flood elsewhere cannot shut it.
    public let reserve: Int
    /// Counts its connections instead of the server's limiter; nil for a listener that shares that one.
    public let connections: ConnectionLimiter?

    public init(
        _ address: ListenAddress, context: ServerContext?, number: Int, reserve: Int = 0,
        connections: ConnectionLimiter? = nil
    ) {
        self.reserve = reserve
        self.connections = connections
        self.address = address
        self.context = context
        self.number = number
    }
}

/// An HTTP server on a group of event loops. Safe from any thread.
public final class Server: Sendable {
    private let workers: [ServerWorker]
    private let state = Mutex(State())

    /// The protocols for ALPN, one or more names for each that ``ServerWorker`` can begin to speak. Clients that are
    /// set to HTTP/1.0 name that.
    public static let protocols = ["http/1.1", "http/1.0"]

    private struct State {
        var listeners: [Int: OpenListener] = [:]
    }

    public init(
        group: EventLoopGroup, limits: HTTPLimits, connections: ConnectionLimiter, service: any Service
    ) {
        workers = group.loops.map { ServerWorker($0, limits: limits, connections: connections, service: service) }
    }

    /// Binds, listens, and accepts on every loop.
    /// - Returns: the port that was bound; 0 for a Unix socket.
    /// - Throws: ``SystemError`` when the address cannot be used.
    @discardableResult
    public func listen(_ listener: Listener) throws(SystemError) -> UInt16 {
        listen(listener, on: try ListeningSocket(listener.address))
    }

    /// Accepts on every loop from a socket that listens already.
    @discardableResult
    public func listen(_ listener: Listener, on socket: ListeningSocket) -> UInt16 {
        let open = OpenListener(socket, listener)
        state.withLock { $0.listeners[listener.number] = open }
        for worker in workers { worker.loop.execute { worker.accept(from: open) } }
        return open.socket.port
    }

    /// The listeners, by their numbers, to which clients can no longer connect, with the reasons.
    public var failures: [(listener: Int, reason: String)] {
        let listeners = state.withLock { $0.listeners.values.map { ($0.number, $0.socket) } }
        return listeners.sorted { $0.0 < $1.0 }.compactMap { number, socket in socket.failure.map { (number, $0) } }
    }

    /// The counts of all loops. Only from a task of a loop, of any group.
    public var counts: ServerCounts {
        get async {
            let workers = workers
            var sum = ServerCounts()
            for counts in await workers.map(\.loop).collect({ workers[$0.index].counts }) { sum.add(counts) }
            return sum
        }
    }

    /// The certificates of all listeners, as new connections see them.
    public var certificates: [ServedCertificate] {
        let listeners = state.withLock { Array($0.listeners.values) }
        return listeners.flatMap { $0.context.withLock { $0?.certificates ?? [] } }
    }

    /// Uses other certificates for the connections that come from now on.
    public func replaceContext(ofListener number: Int, with context: ServerContext) {
        let listener = state.withLock { $0.listeners[number] }
        listener?.context.withLock { $0 = context }
    }

    /// Holds for the next request of each connection.
    public func replaceLimits(with limits: HTTPLimits) {
        for worker in workers { worker.loop.execute { worker.limits = limits } }
    }

    /// Stops accepting, but leaves the sockets open: new connections wait for ``resumeListening()``, or for another
    /// process that listens on them. Running requests continue.
    /// - Parameter lastChance: the time in which a new connection may send its first request.
    public func pauseListening(lastChance: Duration) async {
        for worker in workers { await worker.loop.perform { worker.drain(lastChance: lastChance) } }
    }

    /// Takes ``pauseListening(lastChance:)`` back. Safe from any thread.
    public func resumeListening() {
        let listeners = state.withLock { Array($0.listeners.values) }
        for worker in workers {
            worker.loop.execute { for listener in listeners { worker.accept(from: listener) } }
        }
    }

    /// Waits until all connections have ended, or until `deadline`.
    public func waitUntilEmpty(_ deadline: Instant) async {
        for worker in workers { await worker.waitUntilEmpty(deadline, abandons: false) }
    }

    /// The sockets of its listeners, in their order.
    public var sockets: [ListeningSocket] {
        state.withLock { state in state.listeners.sorted { $0.key < $1.key }.map(\.value.socket) }
    }

    /// Stops accepting, and lets running requests continue. When it returns, others can listen on the addresses.
    public func stopListening() async {
        state.withLock { $0.listeners = [:] }
        for worker in workers { await worker.loop.perform { worker.drain() } }
    }

    /// Stops accepting, lets running requests finish within `grace`, then closes the remaining connections.
    /// - Returns: how many connections that was.
    @discardableResult
    public func stop(grace: Duration) async -> Int {
        let deadline = Instant.now() + grace
        await stopListening()
        var cut = 0
        for worker in workers { cut += await worker.waitUntilEmpty(deadline) }
        return cut
    }
}

/// A bound listener with the certificates that it shows at present.
final class OpenListener: Sendable {
    let socket: ListeningSocket
    let number: Int
    let reserve: Int
    let connections: ConnectionLimiter?
    let context: Mutex<ServerContext?>

    init(_ socket: ListeningSocket, _ listener: Listener) {
        self.socket = socket
        number = listener.number
        reserve = listener.reserve
        connections = listener.connections
        context = Mutex(listener.context)
    }
}
