import SwitchyardHTTP
import SwitchyardReactor
import SwitchyardTLS

/// A server on loopback with one loop, for as long as a test holds it.
final class TestServer: Sendable {
    let server: Server
    let connections: ConnectionLimiter
    let port: UInt16
    private let group: EventLoopGroup

    /// - Parameter limits: the design's, unless a test wants others.
    init(
        context: ServerContext? = nil, limits: HTTPLimits = HTTPLimits(), maximumConnections: Int = 100,
        unixSocket: String? = nil, _ respond: @escaping @Sendable (Request) async -> Response = TestServer.echo
    ) throws {
        group = try EventLoopGroup(count: 1)
        connections = ConnectionLimiter(
            ConnectionLimiter.Policy(total: maximumConnections, perAddress: maximumConnections)
        ) { _ in ConnectionLimiter.Keys(address: 0, network: nil) }
        server = Server(
            group: group, limits: limits, connections: connections, service: TestService(respond: respond))
        try group.start()
        let address: ListenAddress =
            unixSocket.map { .unix(path: $0, mode: 0o600, group: nil) } ?? .tcp(host: "127.0.0.1", port: 0)
        port = try server.listen(Listener(address, context: context, number: 7))
    }

    deinit {
        group.stop()
    }

    /// Answers with the path and the content of the request.
    static let echo: @Sendable (Request) async -> Response = { request in
        Response(.ok, body: .bytes(Array("\(request.pathText) ".utf8) + request.body))
    }
}

private struct TestService: Service {
    let respond: @Sendable (Request) async -> Response

    func respond(to request: Request) async -> Response { await respond(request) }
}
