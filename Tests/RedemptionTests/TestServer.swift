import Glibc
import Synchronization

/// An HTTP server on loopback that behaves as badly as a test wants: blocking sockets, one thread a connection.
final class TestServer: Sendable {
    typealias Handler = @Sendable (ReceivedRequest) -> Reply

    /// What the server and its threads share. A socket is closed when no thread and no server can name it any more: its
    /// number may belong to a connection of another test right after.
    private final class Sockets: Sendable {
        struct State {
            var handler: Handler
            var requests: [ReceivedRequest] = []
            var connections: Set<Int32> = []
            var accepted = 0
        }

        let listener: Int32
        let state: Mutex<State>

        init(_ listener: Int32, _ handler: @escaping Handler) {
            self.listener = listener
            state = Mutex(State(handler: handler))
        }

        deinit { close(listener) }

        func acceptAll() {
            while true {
                let connection = accept(listener, nil, nil)
                guard connection >= 0 else { break }
                // A program that another test starts must not hold it open.
                _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
                let number = state.withLock { state in
                    state.connections.insert(connection)
                    state.accepted += 1
                    return state.accepted - 1
                }
                TestServer.startThread { [self] in
                    TestServer.serve(connection, number, reply)
                    state.withLock {
                        $0.connections.remove(connection)
                        close(connection)
                    }
                }
            }
        }

        func closeConnections() {
            state.withLock { state in
                for connection in state.connections { shutdown(connection, Int32(SHUT_RDWR)) }
            }
        }

        private func reply(to request: ReceivedRequest) -> Reply {
            let handler = state.withLock { state in
                state.requests.append(request)
                return state.handler
            }
            return handler(request)
        }
    }

    private let sockets: Sockets
    let port: UInt16

    /// - Parameter isListening: when false, the port is held and connections are refused until ``listen()``.
    init(
        isListening: Bool = true, _ handler: @escaping Handler = { _ in .answer(status: 404, body: "") }
    ) {
        let listener: Int32
        (listener, port) = Self.bindToLoopback()
        sockets = Sockets(listener, handler)
        if isListening { listen() }
    }

    /// Begins to listen a little later, on a thread of its own: the tasks of a busy test run may be late by seconds.
    func listenSoon() {
        Self.startThread { [self] in
            usleep(150_000)
            listen()
        }
    }

    func listen() {
        precondition(Glibc.listen(sockets.listener, 64) == 0)
        Self.startThread { [sockets] in sockets.acceptAll() }
    }

    deinit {
        // Ends the waiting `accept`, and with it the thread.
        shutdown(sockets.listener, Int32(SHUT_RDWR))
        closeConnections()
    }

    /// Ends every connection from the server's side.
    func closeConnections() { sockets.closeConnections() }

    /// How many connections were accepted so far.
    var accepted: Int { sockets.state.withLock(\.accepted) }

    /// Says something on every connection that is still there, whether or not anybody has asked.
    func sayUnasked(_ text: String) {
        sockets.state.withLock { state in
            for connection in state.connections {
                _ = unsafe send(connection, text, text.utf8.count, Int32(MSG_NOSIGNAL))
            }
        }
    }

    var url: String { "http://127.0.0.1:\(port)" }
    var requests: [ReceivedRequest] { sockets.state.withLock { $0.requests } }

    func count(_ path: String) -> Int { requests.count { $0.path == path } }

    func handle(_ handler: @escaping Handler) {
        sockets.state.withLock { $0.handler = handler }
    }

    private static func bindToLoopback() -> (Int32, UInt16) {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                precondition(unsafe bind(descriptor, pointer, size) == 0)
                precondition(unsafe getsockname(descriptor, pointer, &size) == 0)
            }
        }
        return (descriptor, UInt16(bigEndian: address.sin_port))
    }

    private final class Body {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    private static func startThread(_ run: @escaping @Sendable () -> Void) {
        var thread = pthread_t()
        let argument = unsafe Unmanaged.passRetained(Body(run)).toOpaque()
        let body: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { argument in
            if let argument = unsafe argument { unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run() }
            return nil
        }
        precondition(unsafe pthread_create(&thread, nil, body, argument) == 0)
        pthread_detach(thread)
    }

    private static func serve(_ descriptor: Int32, _ number: Int, _ reply: (ReceivedRequest) -> Reply?) {
        let connection = TestConnection(descriptor, number: number)
        while let request = connection.read() {
            guard let reply = reply(request), connection.perform(reply) else { break }
        }
    }
}
