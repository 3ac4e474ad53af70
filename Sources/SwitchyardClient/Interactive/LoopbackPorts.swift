internal import Reactor

/// The loopback ports on which this process waits for callbacks. Requests whose redirect URI names one port share it, and
/// are told apart by state; the others get a port each, which nobody can foretell.
///
/// Why `@unchecked Sendable`: what changes is touched on the network loop only.
final class LoopbackPorts: @unchecked Sendable {
    private enum Entry {
        case open(LoopbackListener, LoopbackService)
        case closing(Promise<Void>)
    }

    private let group: EventLoopGroup
    private var entries: [UInt16: Entry] = [:]

    init(_ group: EventLoopGroup) {
        self.group = group
    }

    /// Waits for callbacks at `address` until ``leave(_:on:)``.
    /// - Parameter named: the port that the redirect URI names; nil: any.
    /// - Returns: the port.
    /// - Throws: `internal` when the port cannot be had.
    func join(_ address: LoopbackAddress, port named: UInt16?) async throws(AuthenticationError) -> UInt16 {
        while let named, let entry = entries[named] {
            switch entry {
            case .open(_, let service):
                service.add(address)
                return named
            case .closing(let end): await end.value
            }
        }
        let service = LoopbackService()
        service.add(address)
        let listener = try LoopbackListener(group, service, port: named)
        entries[listener.port] = .open(listener, service)
        return listener.port
    }

    /// When it returns, the port is free, unless other requests use it.
    func leave(_ address: LoopbackAddress, on port: UInt16) async {
        guard case .open(let listener, let service) = entries[port], service.remove(address) else { return }
        let end = Promise<Void>()
        entries[port] = .closing(end)
        await listener.stop(on: group.loops[0])
        entries[port] = nil
        end.fulfil(())
    }
}
