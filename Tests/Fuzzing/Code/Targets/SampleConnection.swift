import Glibc
import SwitchyardReactor
import Synchronization

@testable import SwitchyardHTTP

/// The connection of every request. No target reads from it, so all share one.
enum SampleConnection {
    static func request() -> Request? {
        socket.map {
            Request(connection: ConnectionContext(peer: .local(uid: 0), isSecure: true, listener: 0, socket: $0))
        }
    }

    private static let socket: Socket? = {
        guard let loop = try? EventLoop() else { return nil }
        let made = Mutex<Socket?>(nil)
        loop.execute {
            let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            made.withLock { $0 = try? Socket(adopting: descriptor, on: loop) }
        }
        // For one round this thread is the loop's, which is the only one that may make a socket.
        loop.stop()
        loop.run()
        return made.withLock { $0 }
    }()
}
