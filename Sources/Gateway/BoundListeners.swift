public import SwitchyardConfiguration
internal import SwitchyardHTTP
public import SwitchyardReactor
internal import SwitchyardTLS
internal import Synchronization

/// The sockets of a configuration's listeners, bound and listening, before anything accepts. The gateway that serves
/// them takes each out, so that no second owner keeps a closed one open. Safe from any thread.
public final class BoundListeners: Sendable {
    private let sockets: Mutex<[Int: ListeningSocket]>

    /// - Parameter inherited: open sockets, by their addresses. Those that remain there have no listener.
    /// - Throws: ``GatewayError`` naming the listener.
    public init(_ configuration: Configuration, from inherited: InheritedSockets = InheritedSockets())
        throws(GatewayError)
    {
        var sockets: [Int: ListeningSocket] = [:]
        for (number, listener) in configuration.listeners.enumerated() {
            do throws(SystemError) {
                sockets[number] = try ListeningSocket(Self.address(of: listener), from: inherited)
            } catch {
                let reason = error.isAddressInUse ? Self.occupied(listener, error) : "\(error)"
                throw GatewayError("cannot listen on \(listener.address): \(reason)")
            }
        }
        self.sockets = Mutex(sockets)
    }

    /// Only a socket is ever replaced: any other file there may be a user's work.
    private static func occupied(_ listener: ListenerConfiguration, _ error: SystemError) -> String {
        guard case .unix(let path, _, _) = listener.address, let file = ListeningSocket.obstacle(at: path) else {
            return "\(error); another program listens there"
        }
        return "\(file) stands there, which is no socket; move it away, or name another path"
    }

    private static func address(of listener: ListenerConfiguration) -> ListenAddress {
        switch listener.address {
        case .tcp(let ip, let port): .tcp(host: "\(ip)", port: port)
        case .unix(let path, let mode, let group): .unix(path: path, mode: mode, group: group)
        }
    }

    func serve(
        _ listener: ListenerConfiguration, _ number: Int, _ context: ServerContext?, on server: Server,
        _ events: EventReporter
    ) {
        // A flood from the network does not reach a socket file, unless through a proxy. So Unix sockets have a
        // reserve, and the operator's listener has a larger one.
        var reserve = listener.serve == [.admin] ? 128 : 0
        if case .unix = listener.address { reserve = max(reserve, 64) }
        guard let socket = sockets.withLock({ $0.removeValue(forKey: number) }) else {
            preconditionFailure("a listener is served once")
        }
        // On an agent's loopback port, connections of other users have a small limit of their own.
        let isOwnLoopback = listener.isForOwner && socket.port != 0
        server.listen(
            Listener(
                socket.address, context: context, number: number, reserve: reserve,
                connections: isOwnLoopback ? .forOwnUser(at: socket.port) : nil), on: socket)
        events.report(
            .gateway(
                .listening(
                    address: "\(listener.address)", isSecure: context != nil, services: Array(listener.serve))))
    }
}
