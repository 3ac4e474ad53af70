internal import Glibc
internal import SwitchyardCLinux
internal import Synchronization

/// The reason why a server could not be reached. For operators.
public struct ConnectError: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
}

extension Socket {
    /// Connects to a TCP server by the first of its addresses that answers. Only from a task of `loop`.
    /// - Parameters:
    ///   - host: a name, or a numeric address without brackets.
    ///   - deadline: for everything, the look-up of the name included.
    public static func connect(
        to host: String, port: UInt16, on loop: EventLoop, until deadline: Instant
    ) async throws(ConnectError) -> Socket {
        let addresses = await HostLookup.addresses(of: host, port: port, until: deadline)
        guard !addresses.isEmpty else { throw ConnectError(description: "the name \"\(host)\" cannot be looked up") }
        var code = ETIMEDOUT
        for address in addresses where Instant.now() < deadline {
            do throws(SystemError) {
                return try await connect(to: address, on: loop, until: deadline)
            } catch {
                code = error.code
            }
        }
        throw ConnectError(description: "\(SystemError("connect", code: code))")
    }

    /// Connects to a Unix socket, which is decided at once. Only on the loop's thread.
    public static func connect(path: String, on loop: EventLoop) throws(SystemError) -> Socket {
        let descriptor = try check("connect") { unsafe sy_connect_path(path) }
        do throws(SystemError) {
            return try Socket(adopting: descriptor, on: loop)
        } catch {
            close(descriptor)
            throw error
        }
    }

    /// The user that the process behind a Unix socket ran as when it began to listen, or connected; nil where
    /// the kernel does not say.
    public var peerUser: UInt32? {
        var (user, process) = (uid_t.max, pid_t())
        return unsafe sy_peer_user(descriptor, &user, &process) == 0 ? user : nil
    }

    private static func connect(
        to address: sockaddr_storage, on loop: EventLoop, until deadline: Instant
    ) async throws(SystemError) -> Socket {
        var address = address
        let descriptor = try check("connect") { unsafe sy_connect(&address) }
        let socket: Socket
        do throws(SystemError) {
            socket = try Socket(adopting: descriptor, on: loop)
        } catch {
            close(descriptor)
            throw error
        }
        socket.deadline = deadline
        let wake = await socket.writable()
        let code = wake == .ready ? sy_connect_result(descriptor) : ETIMEDOUT
        guard code == 0 else {
            socket.shutDown()
            throw SystemError("connect", code: code)
        }
        socket.deadline = .never
        return socket
    }
}

/// Looks a name up on a thread of its own, because the C library has no other way than to block. Rare:
/// once a connection.
private final class HostLookup: Sendable {
    private let host: String
    private let port: UInt16
    private let found = Mutex<[sockaddr_storage]?>(nil)
    private let signal = Signal()

    private init(_ host: String, _ port: UInt16) {
        self.host = host
        self.port = port
    }

    /// - Returns: an empty list for a name without an address, and after the deadline.
    static func addresses(of host: String, port: UInt16, until deadline: Instant) async -> [sockaddr_storage] {
        // A numeric address needs no look-up.
        let numeric = resolve(host, port, isNumeric: true)
        guard numeric.isEmpty else { return numeric }
        let lookup = HostLookup(host, port)
        do throws(SystemError) {
            try DetachedThread.start { lookup.run() }
        } catch {
            return []
        }
        _ = await lookup.signal.wait(until: deadline)
        return lookup.found.withLock { $0 } ?? []
    }

    fileprivate func run() {
        let addresses = Self.resolve(host, port, isNumeric: false)
        found.withLock { $0 = addresses }
        signal.raise()
    }

    private static func resolve(_ host: String, _ port: UInt16, isNumeric: Bool) -> [sockaddr_storage] {
        var addresses = [sockaddr_storage](repeating: sockaddr_storage(), count: 8)
        let count = unsafe sy_resolve(host, port, isNumeric ? 1 : 0, &addresses, Int32(addresses.count))
        return Array(addresses.prefix(max(0, Int(count))))
    }
}
