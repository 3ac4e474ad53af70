import Glibc
import Testing

@testable import SwitchyardReactor

@Suite("The user behind a connection on loopback") struct LoopbackPeerTests {
    /// A listener, and a connection to it; both are closed with it.
    private final class Connection {
        let listener: ListeningSocket
        let port: UInt16
        private(set) var descriptor: Int32

        /// - Parameters:
        ///   - family: of the connecting socket, which may be one for both.
        ///   - host: that it connects to, as that family writes it.
        init(listening: String, family: Int32, connecting host: String) throws {
            listener = try ListeningSocket(.tcp(host: listening, port: 0))
            port = listener.port
            descriptor = socket(family, Int32(SOCK_STREAM.rawValue), 0)
            try #require(descriptor >= 0)
            let result: Int32
            if family == AF_INET {
                var address = sockaddr_in()
                address.sin_family = sa_family_t(AF_INET)
                address.sin_port = port.bigEndian
                unsafe inet_pton(AF_INET, host, &address.sin_addr)
                result = unsafe withUnsafePointer(to: &address) { pointer in
                    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
                    }
                }
            } else {
                var address = sockaddr_in6()
                address.sin6_family = sa_family_t(AF_INET6)
                address.sin6_port = port.bigEndian
                unsafe inet_pton(AF_INET6, host, &address.sin6_addr)
                result = unsafe withUnsafePointer(to: &address) { pointer in
                    unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        unsafe connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in6>.size))
                    }
                }
            }
            try #require(result == 0)
        }

        /// The port of the connecting side.
        var ownPort: UInt16 {
            var address = sockaddr_storage()
            var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
            return unsafe withUnsafeMutablePointer(to: &address) { pointer in
                _ = unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe getsockname(descriptor, $0, &size)
                }
                // In both families the port stands behind the family.
                return unsafe pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                    unsafe UInt16(bigEndian: $0.pointee.sin_port)
                }
            }
        }

        func hangUp() {
            close(descriptor)
            descriptor = -1
        }

        deinit { if descriptor >= 0 { close(descriptor) } }
    }

    private static let loopback4: [UInt8] = [127, 0, 0, 1]
    private static let loopback6 = [UInt8](repeating: 0, count: 15) + [1]

    @Test(
        "of this user is told, by either family, and from a socket for both",
        arguments: [
            ("127.0.0.1", AF_INET, "127.0.0.1"), ("::1", AF_INET6, "::1"), ("127.0.0.1", AF_INET6, "::ffff:127.0.0.1"),
        ])
    func own(listening: String, family: Int32, connecting: String) throws {
        let connection = try Connection(listening: listening, family: family, connecting: connecting)
        let address = listening == "::1" ? Self.loopback6 : Self.loopback4
        let peer = Peer.ip(address: address, port: connection.ownPort)
        #expect(LoopbackPeer.owner(of: peer, at: connection.port) == .user(geteuid()))
        #expect(LoopbackPeer.isOwnUser(peer, at: connection.port) && LoopbackPeer.canJudge(at: connection.port))
    }

    @Test("of a socket that is closed, of another port or of no connection at all is unknown")
    func unknown() throws {
        let connection = try Connection(listening: "127.0.0.1", family: AF_INET, connecting: "127.0.0.1")
        let (port, own) = (connection.port, connection.ownPort)
        let peer = Peer.ip(address: Self.loopback4, port: own)
        #expect(LoopbackPeer.owner(of: peer, at: port &+ 1) == .unknown)
        #expect(LoopbackPeer.owner(of: .ip(address: Self.loopback4, port: own &+ 1), at: port) == .unknown)
        // The listener itself is no connection.
        #expect(LoopbackPeer.owner(of: .ip(address: Self.loopback4, port: port), at: 0) == .unknown)
        #expect(LoopbackPeer.owner(of: .ip(address: Self.loopback4, port: port), at: own &+ 1) == .unknown)
        #expect(LoopbackPeer.owner(of: .ip(address: [192, 0, 2, 1], port: own), at: port) == .unknown)
        #expect(LoopbackPeer.owner(of: .local(uid: geteuid()), at: port) == .unknown)
        connection.hangUp()
        #expect(LoopbackPeer.owner(of: peer, at: port) == .unknown)
    }

    @Test("a port that this process does not listen on cannot be judged")
    func noListener() throws {
        let port = try ListeningSocket(.tcp(host: "127.0.0.1", port: 0)).port
        #expect(!LoopbackPeer.canJudge(at: port))
    }

    @Test("an unknown user, and another one than this and root, is not this user")
    func others() {
        #expect(!LoopbackPeer.isOwnUser(.unknown) && !LoopbackPeer.isOwnUser(.user(geteuid() &+ 4711)))
        #expect(LoopbackPeer.isOwnUser(.user(geteuid())) && LoopbackPeer.isOwnUser(.user(0)))
    }

    @Test("machines without socket diagnosis are read from /proc/net/tcp, with the same result")
    func table() throws {
        for (listening, family, address) in [("127.0.0.1", AF_INET, Self.loopback4), ("::1", AF_INET6, Self.loopback6)]
        {
            let connection = try Connection(listening: listening, family: family, connecting: listening)
            let found = SocketFile.find(address, connection.ownPort, address, connection.port)
            #expect(found?.uid == geteuid() && found?.inode != 0)
            #expect(SocketFile.find(address, connection.ownPort, address, connection.port &+ 1) == nil)
            #expect(SocketFile.showsListener(address, connection.port))
            #expect(!SocketFile.showsListener(address, connection.ownPort))
        }
        let both = try Connection(listening: "127.0.0.1", family: AF_INET6, connecting: "::ffff:127.0.0.1")
        #expect(SocketFile.find(Self.loopback4, both.ownPort, Self.loopback4, both.port)?.uid == geteuid())
    }
}
