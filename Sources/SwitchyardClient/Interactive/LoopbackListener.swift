internal import SwitchyardHTTP
internal import SwitchyardOAuth
internal import SwitchyardReactor

/// Listens on a loopback port for callbacks, on 127.0.0.1 and ::1: browsers try either for `localhost`.
struct LoopbackListener {
    let port: UInt16
    private let servers: [Server]

    /// Lets the answer that is under way reach the browser.
    private static let grace = Duration.seconds(5)

    /// - Parameter named: the port that the redirect URI names; nil for an unpredictable one.
    /// - Throws: `invalidConfiguration` if the named port is taken, `internal` if every port fails.
    init(
        _ group: EventLoopGroup, _ service: any Service, port named: UInt16?
    ) throws(AuthenticationError) {
        // A port that is free for one family can be taken for the other.
        for _ in 0..<8 {
            guard let (first, port) = Self.listen(group, service, host: "127.0.0.1", port: named ?? 0) else { continue }
            if let (second, _) = Self.listen(group, service, host: "::1", port: port) {
                self.port = port
                servers = [first, second]
                return
            }
            // Without IPv6 on this machine, another program cannot take the callback on `::1`.
            if !Self.hasIPv6 {
                self.port = port
                servers = [first]
                return
            }
            group.loops[0].start { await first.stop(grace: .zero) }
        }
        guard let named else {
            throw AuthenticationError(.internal, .unexpected, "no port on loopback can be listened on")
        }
        throw AuthenticationError(
            .invalidConfiguration, .invalidRedirectURI,
            "port \(named) on loopback, which the redirect URI names, is taken by another program; leave the port out, "
                + "and each sign-in gets a free one (RFC 8252 section 7.3)")
    }

    private static func listen(
        _ group: EventLoopGroup, _ service: any Service, host: String, port: UInt16
    ) -> (Server, UInt16)? {
        let address = ListenAddress.tcp(host: host, port: port)
        guard let socket = try? ListeningSocket(address) else { return nil }
        let server = Server(
            group: group, limits: limits, connections: .forOwnUser(at: socket.port), service: service)
        return (server, server.listen(Listener(address, context: nil, number: 0), on: socket))
    }

    private static var limits: HTTPLimits {
        var limits = HTTPLimits()
        limits.bodyBytes = 0
        // A silent connection must not keep the browser out.
        limits.firstByteTimeout = .seconds(2)
        limits.headerTimeout = .seconds(5)
        return limits
    }

    private static var hasIPv6: Bool {
        (try? ListeningSocket(.tcp(host: "::1", port: 0))) != nil
    }

    /// When it returns, others can listen on the port; answers under way continue.
    func stop(on loop: EventLoop) async {
        for server in servers { await server.stopListening() }
        for server in servers { loop.start { await server.stop(grace: Self.grace) } }
    }
}
