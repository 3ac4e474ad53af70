import Glibc
import SwitchyardReactor
import TestSupport

@testable import SwitchyardHTTP

/// A stand-in for a connection, for requests that are parsed without a server.
enum TestContext {
    /// Parsers need some connection; all share one.
    private static let socket = Task { () -> Socket? in
        guard let test = try? TestLoop() else { return nil }
        return await test.run {
            let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            return try? Socket(adopting: descriptor, on: test.loop)
        }
    }

    static func request() async throws -> Request {
        guard let socket = await socket.value else { throw SystemError("socket", code: EMFILE) }
        return Request(
            connection: ConnectionContext(peer: .local(uid: 0), isSecure: false, listener: 0, socket: socket))
    }
}
