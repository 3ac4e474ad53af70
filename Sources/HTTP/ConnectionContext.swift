public import SwitchyardReactor
public import SwitchyardTLS

/// The facts about a request's connection that a service may use. Belongs to the connection's loop.
///
/// Why `@unchecked Sendable`: only the service touches it, on the connection's loop.
public final class ConnectionContext: @unchecked Sendable {
    public let peer: Peer
    public let isSecure: Bool
    /// The number that the listener was given when the server was set up.
    public let listener: Int
    /// The port that the listener is bound to; 0 on a Unix socket.
    private let port: UInt16
    private let socket: Socket
    private let tls: ServerStream?

    /// - Parameter tls: nil for plain HTTP.
    init(
        peer: Peer, isSecure: Bool, listener: Int, port: UInt16 = 0, socket: Socket, tls: ServerStream? = nil
    ) {
        self.peer = peer
        self.isSecure = isSecure
        self.tls = tls
        self.listener = listener
        self.port = port
        self.socket = socket
    }

    /// The client's certificate, not verified: see ``SwitchyardTLS/TrustAnchors``. Made on demand, since few requests
    /// ask.
    public var clientCertificate: ClientCertificate? { tls?.clientCertificate }

    /// The process at the other end of a Unix socket; nil over a network. Not kept, since few requests ask.
    public var peerProcess: PeerProcess? {
        guard case .local = peer else { return nil }
        return socket.peerProcess
    }

    /// Whether this process's user, or root, made the connection to a loopback port. Not kept, since few requests ask.
    public var isOwnUsers: Bool { LoopbackPeer.isOwnUser(peer, at: port) }

    /// The user that made the connection to a loopback port, for a log.
    public var ownersText: String {
        switch LoopbackPeer.owner(of: peer, at: port) {
        case .user(let uid): "the connection came from the user \(uid)"
        case .unknown: "the kernel does not show the connection's user"
        }
    }

    public var loop: EventLoop { socket.loop }
    public var isPeerGone: Bool { socket.isPeerGone }

    /// Calls `body` once when the peer goes away, which is now if it has gone already; for a service that
    /// waits. nil takes it back.
    public func whenPeerGoes(_ body: (() -> Void)?) {
        guard let body, isPeerGone else {
            socket.onPeerGone = body
            return
        }
        body()
    }
}
