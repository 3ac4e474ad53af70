internal import SwitchyardReactor

/// The loopback ports on which this process waits for callbacks. Requests with the same named port share it, and are
/// told apart by state. Each other request gets an unpredictable port of its own.
///
/// Why `@unchecked Sendable`: its mutable state is touched on the network loop only.
final class LoopbackPorts: @unchecked Sendable {
    private enum Listening {
        case open(LoopbackListener)
        case closing(Promise<Void>)
    }

    private let group: EventLoopGroup
    private var listening: [UInt16: Listening] = [:]
    /// By port; a named one keeps its service, because a browser may come back on a connection of an earlier sign-in.
    private var services: [UInt16: LoopbackService] = [:]

    init(_ group: EventLoopGroup) {
        self.group = group
    }

    /// Waits for callbacks at `address` until ``leave(_:on:)``.
    /// - Parameter named: the port that the redirect URI names; nil for any port.
    /// - Returns: the port.
    /// - Throws: as ``LoopbackListener``; `internal` if the kernel hides the owner of the browser's connection.
    func join(_ address: LoopbackAddress, port named: UInt16?) async throws(AuthenticationError) -> UInt16 {
        while let named, case .closing(let end) = listening[named] { await end.value }
        let service = named.flatMap { services[$0] } ?? LoopbackService()
        if let named, case .open = listening[named] {
            service.add(address)
            return named
        }
        let listener = try LoopbackListener(group, service, port: named)
        guard LoopbackPeer.canJudge(at: listener.port) else {
            await listener.stop(on: group.loops[0])
            throw AuthenticationError(
                .internal, .unexpected,
                "the kernel does not show which user connects to a loopback port (sock_diag, /proc/net/tcp), so no callback "
                    + "on loopback can be trusted; give the app another way for callbacks: a gateway, or a scheme of its own"
            )
        }
        service.port = listener.port
        service.add(address)
        listening[listener.port] = .open(listener)
        services[listener.port] = service
        return listener.port
    }

    /// When it returns, the port is free, unless other requests use it.
    func leave(_ address: LoopbackAddress, on port: UInt16, isNamed: Bool) async {
        guard case .open(let listener) = listening[port], services[port]?.remove(address) == true else { return }
        let end = Promise<Void>()
        listening[port] = .closing(end)
        if !isNamed { services[port] = nil }
        await listener.stop(on: group.loops[0])
        // Somebody else may have been given the port since it was let go.
        if case .closing(let last) = listening[port], last === end { listening[port] = nil }
        end.fulfil(())
    }
}
