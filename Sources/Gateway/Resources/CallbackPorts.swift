internal import SwitchyardHTTP
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import Synchronization

/// The loopback ports of an agent at which sign-ins to resources come back. Each is open only while a sign-in waits for
/// its callback, and a moment longer for the page that tells how it ended. Safe from any thread.
final class CallbackPorts: Sendable {
    private struct Open {
        let server: Server
        /// Sign-ins that are being begun.
        var reservations = 1
        var waiting: Set<RequestID> = []
        /// Since when no sign-in needs the port.
        var unused: Instant?
    }

    private enum Port {
        case open(Open)
        /// Being opened or closed, until the promise is kept.
        case changing(Promise<Void>)

        var open: Open? {
            if case .open(let open) = self { open } else { nil }
        }
    }

    private struct State {
        var ports: [UInt16: Port] = [:]
        var make: (@Sendable (ListeningSocket) -> Server)?
    }

    /// The right of a sign-in that begins to a port, which stays open meanwhile.
    final class Reservation: Sendable {
        let port: UInt16
        private let ports: CallbackPorts

        fileprivate init(_ port: UInt16, _ ports: CallbackPorts) {
            self.port = port
            self.ports = ports
        }

        deinit { ports.end(port) }

        /// Keeps it open until this request is over.
        func wait(for id: RequestID) { ports.wait(for: id, at: port) }
    }

    /// How long the page of a sign-in that is over can still be loaded.
    private let lastPage: Duration
    private static let grace = Duration.seconds(5)

    private let state = Mutex(State())

    init(lastPage: Duration = .seconds(3)) {
        self.lastPage = lastPage
    }

    /// - Parameter make: a server on a socket that listens.
    func adopt(_ make: @escaping @Sendable (ListeningSocket) -> Server) { state.withLock { $0.make = make } }

    /// Opens a port, or shares it with other sign-ins. Waits for a port that is being closed.
    /// - Parameter wanted: nil for a free one.
    /// - Returns: nil if another program has it, or if the kernel hides who connects to it.
    func reserve(_ wanted: UInt16?) async -> Reservation? {
        guard let wanted else { return open(0) }
        while true {
            switch claim(wanted) {
            case .reserved(let reservation): return reservation
            case .wait(let change): await change.value
            case .open(let change):
                defer { settle(change, of: wanted) }
                return open(wanted)
            }
        }
    }

    private enum Claim: Sendable {
        case reserved(Reservation)
        case wait(Promise<Void>)
        /// The caller opens it, and keeps the promise then.
        case open(Promise<Void>)
    }

    private func claim(_ port: UInt16) -> Claim {
        state.withLock { state in
            switch state.ports[port] {
            case .open(var open):
                open.reservations += 1
                open.unused = nil
                state.ports[port] = .open(open)
                return .reserved(Reservation(port, self))
            case .changing(let change): return .wait(change)
            case nil:
                let change = Promise<Void>()
                state.ports[port] = .changing(change)
                return .open(change)
            }
        }
    }

    private func open(_ wanted: UInt16) -> Reservation? {
        // Without the lock: the question may read a whole table of the kernel.
        guard let socket = try? ListeningSocket(.tcp(host: "127.0.0.1", port: wanted)),
            LoopbackPeer.canJudge(at: socket.port)
        else { return nil }
        return state.withLock { state in
            guard let make = state.make else { return nil }
            state.ports[socket.port] = .open(Open(server: make(socket)))
            return Reservation(socket.port, self)
        }
    }

    /// Forgets the port, unless it was opened meanwhile, and wakes those that wait for it.
    private func settle(_ change: Promise<Void>, of port: UInt16) {
        state.withLock { state in
            if case .changing(let present) = state.ports[port], present === change { state.ports[port] = nil }
        }
        change.fulfil(())
    }

    private func wait(for id: RequestID, at port: UInt16) { update(port) { $0.waiting.insert(id) } }

    private func end(_ port: UInt16) { update(port) { $0.reservations -= 1 } }

    private func update(_ port: UInt16, _ change: (inout Open) -> Void) {
        state.withLock { state in
            guard case .open(var open) = state.ports[port] else { return }
            change(&open)
            state.ports[port] = .open(open)
        }
    }

    /// Closes the ports that no sign-in needs any more. Only from a task of a loop.
    /// - Parameter isWaiting: whether a request still waits.
    func age(_ isWaiting: (RequestID) async -> Bool) async {
        let waiting = state.withLock { state in state.ports.mapValues { $0.open?.waiting ?? [] } }
        for (port, ids) in waiting {
            var over: Set<RequestID> = []
            for id in ids {
                if await !isWaiting(id) { over.insert(id) }
            }
            let closing = Promise<Void>()
            let server = state.withLock { state -> Server? in
                guard var open = state.ports[port]?.open else { return nil }
                open.waiting.subtract(over)
                let isUnused = open.reservations == 0 && open.waiting.isEmpty
                open.unused = isUnused ? open.unused ?? .now() : nil
                let isOver = open.unused.map { $0 + lastPage <= .now() } ?? false
                state.ports[port] = isOver ? .changing(closing) : .open(open)
                return isOver ? open.server : nil
            }
            guard let server else { continue }
            await server.stopListening()
            settle(closing, of: port)
            EventLoop.current?.start { await server.stop(grace: Self.grace) }
        }
    }

    /// Holds for the next request of each connection. Ports that are opened later get their limits with their server.
    func replaceLimits(with limits: HTTPLimits) {
        for server in servers { server.replaceLimits(with: limits) }
    }

    private var servers: [Server] { state.withLock { $0.ports.values.compactMap { $0.open?.server } } }

    /// Closes all of them.
    func stop() async {
        let servers = state.withLock { state in
            defer { state = State() }
            return state.ports.values.compactMap { $0.open?.server }
        }
        for server in servers { await server.stopListening() }
    }
}
