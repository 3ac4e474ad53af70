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
        var holds = 1
        var waiting: Set<RequestID> = []
        /// Since when no sign-in needs the port.
        var unused: Instant?
    }

    private struct State {
        var open: [UInt16: Open] = [:]
        var make: (@Sendable (ListeningSocket) -> Server)?
    }

    /// Keeps a port open while a sign-in is begun.
    final class Hold: Sendable {
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
    private static let lastPage = Duration.seconds(3)
    private static let grace = Duration.seconds(5)

    private let state = Mutex(State())

    /// - Parameter make: a server on a socket that listens.
    func adopt(_ make: @escaping @Sendable (ListeningSocket) -> Server) { state.withLock { $0.make = make } }

    /// Opens a port, or shares it with other sign-ins.
    /// - Parameter wanted: nil for a free one.
    /// - Returns: nil if another program has it, or if the kernel hides who connects to it.
    func hold(_ wanted: UInt16?) -> Hold? {
        state.withLock { state in
            if let wanted, state.open[wanted] != nil {
                state.open[wanted]?.holds += 1
                state.open[wanted]?.unused = nil
                return Hold(wanted, self)
            }
            guard let make = state.make,
                let socket = try? ListeningSocket(.tcp(host: "127.0.0.1", port: wanted ?? 0)),
                LoopbackPeer.canJudge(at: socket.port)
            else { return nil }
            state.open[socket.port] = Open(server: make(socket))
            return Hold(socket.port, self)
        }
    }

    private func wait(for id: RequestID, at port: UInt16) {
        _ = state.withLock { $0.open[port]?.waiting.insert(id) }
    }

    private func end(_ port: UInt16) { state.withLock { $0.open[port]?.holds -= 1 } }

    /// Closes the ports that no sign-in needs any more. Only from a task of a loop.
    /// - Parameter isWaiting: whether a request still waits.
    func age(_ isWaiting: (RequestID) async -> Bool) async {
        let open = state.withLock { state in state.open.map { (port: $0.key, ids: $0.value.waiting) } }
        for (port, ids) in open {
            var over: Set<RequestID> = []
            for id in ids {
                if await !isWaiting(id) { over.insert(id) }
            }
            let server = state.withLock { state -> Server? in
                guard var open = state.open[port] else { return nil }
                open.waiting.subtract(over)
                let isUnused = open.holds == 0 && open.waiting.isEmpty
                open.unused = isUnused ? open.unused ?? .now() : nil
                let isOver = open.unused.map { $0 + Self.lastPage <= .now() } ?? false
                state.open[port] = isOver ? nil : open
                return isOver ? open.server : nil
            }
            await server?.stopListening()
            if let server { EventLoop.current?.start { await server.stop(grace: Self.grace) } }
        }
    }

    /// Closes all of them.
    func stop() async {
        let servers = state.withLock { state in
            defer { state = State() }
            return state.open.values.map(\.server)
        }
        for server in servers { await server.stopListening() }
    }
}
