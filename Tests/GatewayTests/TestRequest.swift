import Glibc
import SwitchyardReactor
import Synchronization
import Testing

@testable import SwitchyardHTTP

extension Request {
    /// A request that never was on a wire.
    /// - Parameter lines: field lines, without their ends.
    static func sample(
        _ target: String = "/", _ lines: [String] = [], from peer: Peer = .local(uid: 1000), body: [UInt8] = []
    ) throws -> Request {
        let socket = try #require(sharedSocket)
        var request = Request(
            connection: ConnectionContext(peer: peer, isSecure: true, listener: 0, socket: socket))
        let head = (["GET \(target) HTTP/1.1", "Host: login.example"] + lines).map { $0 + "\r\n" }.joined() + "\r\n"
        let bytes = Array(head.utf8)
        var parser = RequestHeadParser(limits: HTTPLimits())
        let framing = try parser.parse(bytes, count: bytes.count, into: &request)
        try #require(framing?.headLength == bytes.count)
        request.body = body
        return request
    }

    /// A call of the API with JSON in it.
    static func sample(json: String) throws -> Request {
        try sample("/v1/requests", ["Content-Type: application/json"], body: Array(json.utf8))
    }

    /// The connection of every request. No test reads from it, so all share one.
    private static let sharedSocket: Socket? = {
        guard let loop = try? EventLoop() else { return nil }
        let made = Mutex<Socket?>(nil)
        loop.execute {
            let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
            made.withLock { $0 = try? Socket(adopting: descriptor, on: loop) }
        }
        // For one round this thread is the loop's, which is the only one that may make a socket.
        loop.stop()
        loop.run()
        return made.withLock { $0 }
    }()
}
