import Glibc
import SwitchyardReactor
import TestSupport
import Testing

@Suite("Listening socket") struct ListeningSocketTests {
    private static func unix(_ path: String, mode: UInt32 = 0o600, group: String? = nil) -> ListenAddress {
        .unix(path: path, mode: mode, group: group)
    }

    @Test("a port that is taken is an error that says so", arguments: ["127.0.0.1", "::1"])
    func addressInUse(host: String) throws {
        let first = try ListeningSocket(.tcp(host: host, port: 0))
        #expect(first.port != 0)
        let error = #expect(throws: SystemError.self) {
            try ListeningSocket(.tcp(host: host, port: first.port))
        }
        #expect(error?.isAddressInUse == true)
        #expect(error?.call == "bind")
        withExtendedLifetime(first) {}
    }

    @Test("a host has to be a numeric address", arguments: ["localhost", "", "127.0.0.1:80", "[::1]", "1.2.3"])
    func badHost(host: String) {
        #expect(throws: SystemError("inet_pton", code: EINVAL)) { try ListeningSocket(.tcp(host: host, port: 0)) }
    }

    @Test("a port is free again when the socket goes")
    func release() throws {
        let port = try ListeningSocket(.tcp(host: "127.0.0.1", port: 0)).port
        #expect(throws: Never.self) { try ListeningSocket(.tcp(host: "127.0.0.1", port: port)) }
    }

    @Test("a Unix socket gets the permissions that it was given", arguments: [0o600, 0o660, 0o666] as [UInt32])
    func permissions(mode: UInt32) throws {
        let directory = try TemporaryDirectory()
        let socket = try ListeningSocket(Self.unix(directory.socketPath, mode: mode))
        #expect(directory.socketMode == S_IFSOCK | mode)
        #expect(socket.port == 0)
    }

    @Test("a Unix socket's file goes with the socket")
    func removal() throws {
        let directory = try TemporaryDirectory()
        do {
            let socket = try ListeningSocket(Self.unix(directory.socketPath))
            #expect(directory.socketMode != nil)
            withExtendedLifetime(socket) {}
        }
        #expect(directory.socketMode == nil)
    }

    @Test("a Unix socket that is in use is not replaced, and keeps its file")
    func inUse() throws {
        let directory = try TemporaryDirectory()
        let first = try ListeningSocket(Self.unix(directory.socketPath))
        let error = #expect(throws: SystemError.self) { try ListeningSocket(Self.unix(directory.socketPath)) }
        #expect(error?.isAddressInUse == true)
        #expect(directory.socketMode != nil)
        withExtendedLifetime(first) {}
    }

    @Test("a Unix socket whose listener stands still, with a full queue, counts as in use at once")
    func fullQueue() throws {
        let directory = try TemporaryDirectory()
        let listener = try Self.boundSocket(directory.socketPath)
        defer { close(listener) }
        try #require(listen(listener, 0) == 0)
        let clients = try Self.fillQueue(of: directory.socketPath)
        defer { for client in clients { close(client) } }
        #expect(UnixSocket.isListening(at: directory.socketPath))
        let error = #expect(throws: SystemError.self) { try ListeningSocket(Self.unix(directory.socketPath)) }
        #expect(error?.isAddressInUse == true)
        #expect(directory.socketMode != nil)
    }

    @Test("at a socket file without a process, and without a file, nothing listens")
    func nothingListens() throws {
        let directory = try TemporaryDirectory()
        #expect(!UnixSocket.isListening(at: directory.socketPath))
        try leaveBehind(directory.socketPath)
        #expect(!UnixSocket.isListening(at: directory.socketPath))
    }

    @Test("a Unix socket that a dead process left behind is replaced")
    func abandoned() throws {
        let directory = try TemporaryDirectory()
        try leaveBehind(directory.socketPath)
        #expect(directory.socketMode != nil)
        let socket = try ListeningSocket(Self.unix(directory.socketPath, mode: 0o640))
        #expect(directory.socketMode == S_IFSOCK | 0o640)
        withExtendedLifetime(socket) {}
    }

    @Test("a file that is no socket is not replaced")
    func ordinaryFile() throws {
        let directory = try TemporaryDirectory()
        let file = unsafe open(directory.socketPath, O_CREAT | O_WRONLY, 0o600)
        try #require(file >= 0)
        close(file)
        #expect(throws: SystemError.self) { try ListeningSocket(Self.unix(directory.socketPath)) }
        #expect(directory.socketMode.map { $0 & S_IFMT } == S_IFREG)
    }

    @Test("a file that has taken the place of ours is not removed")
    func foreignFile() throws {
        let directory = try TemporaryDirectory()
        do {
            let socket = try ListeningSocket(Self.unix(directory.socketPath))
            unsafe unlink(directory.socketPath)
            try leaveBehind(directory.socketPath)
            withExtendedLifetime(socket) {}
        }
        #expect(directory.socketMode != nil)
    }

    @Test("a path that is too long, and a group that does not exist, are errors")
    func refusals() throws {
        let directory = try TemporaryDirectory()
        let long = directory.path + "/" + String(repeating: "x", count: 108)
        #expect(throws: SystemError("bind", code: ENAMETOOLONG)) { try ListeningSocket(Self.unix(long)) }
        let group = "no-such-group-of-switchyard"
        #expect(throws: SystemError("getgrnam(\"\(group)\")", code: ENOENT)) {
            try ListeningSocket(Self.unix(directory.socketPath, group: group))
        }
    }

    @Test("the peer of a connection is known: by address on TCP, by user on a Unix socket")
    func peers() async throws {
        let directory = try TemporaryDirectory()
        let tcp = try await accept(ListeningSocket(.tcp(host: "127.0.0.1", port: 0)))
        guard case .ip(address: [127, 0, 0, 1], let port) = tcp else {
            Issue.record("unexpected peer \(tcp)")
            return
        }
        #expect(port != 0)
        #expect(try await accept(ListeningSocket(Self.unix(directory.socketPath))) == .local(uid: getuid()))
    }

    /// Connects once and gives the peer that the loop was told of.
    private func accept(_ listener: ListeningSocket) async throws -> Peer {
        let test = try TestLoop()
        let client = try Self.connect(to: listener)
        defer { close(client) }
        return await withCheckedContinuation { continuation in
            test.loop.execute {
                // Kept by the loop that watches for it.
                _ = listener.accept(on: test.loop) { socket, peer in
                    socket.shutDown()
                    continuation.resume(returning: peer)
                }
            }
        }
    }

    private static func connect(to listener: ListeningSocket) throws -> Int32 {
        switch listener.address {
        case .tcp: try LoopbackClient.connect(port: listener.port)
        case .unix(let path, _, _): try LoopbackClient.connect(path: path)
        }
    }

    /// Binds a socket file and closes the socket without removing it.
    private func leaveBehind(_ path: String) throws {
        close(try Self.boundSocket(path))
    }

    private static func boundSocket(_ path: String) throws -> Int32 {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        let result = unsafe LoopbackClient.withAddress(path) { unsafe bind(descriptor, $0, $1) }
        try #require(result == 0)
        return descriptor
    }

    /// Connects until the kernel takes no further connection.
    private static func fillQueue(of path: String) throws -> [Int32] {
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        var clients: [Int32] = []
        while clients.count < 100 {
            let client = socket(AF_UNIX, type, 0)
            clients.append(client)
            let result = unsafe LoopbackClient.withAddress(path) { unsafe Glibc.connect(client, $0, $1) }
            if result != 0 { break }
        }
        try #require(errno == EAGAIN && clients.count < 100)
        return clients
    }
}
