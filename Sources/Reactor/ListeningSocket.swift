internal import Glibc
internal import SwitchyardCLinux
internal import SwitchyardFiles
internal import Synchronization

/// A bound and listening socket, watched by every loop of a group; the kernel wakes one of them for each connection.
///
/// One shared socket rather than one for each loop (`SO_REUSEPORT`): a second gateway on the same port then fails with
/// "address in use" instead of silently taking half of the callbacks.
public final class ListeningSocket: Sendable {
    /// For a successor, which listens on it as well.
    public let descriptor: Int32
    public let address: ListenAddress

    /// The port that is bound; 0 for a Unix socket.
    public let port: UInt16

    /// The socket file's identity, so that it is removed only while it is still ours.
    private let file: FileStatus.Identity?
    /// Somebody else may be listening there: the file stays when this object goes.
    private let leavesFile = Atomic(false)

    /// Binds and listens. Replaces a Unix socket without a listener; refuses one that is in use.
    /// - Throws: ``SystemError`` with the call that failed.
    public init(_ address: ListenAddress, backlog: Int32 = 4096) throws(SystemError) {
        self.address = address
        let family: Int32
        switch address {
        case .tcp(let host, _): family = host.contains(":") ? AF_INET6 : AF_INET
        case .unix: family = AF_UNIX
        }
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
        let descriptor = try check("socket") { socket(family, type, 0) }
        do {
            switch address {
            case .tcp(let host, let port):
                try Self.bind(descriptor, host: host, port: port, family: family)
                file = nil
            case .unix(let path, let mode, let group):
                try Self.bind(descriptor, path: path, mode: mode, group: group)
                file = try? FileStatus(at: path).identity
            }
            try check("listen") { listen(descriptor, backlog) }
        } catch {
            close(descriptor)
            throw error
        }
        self.descriptor = descriptor
        port = Self.boundPort(descriptor)
    }

    /// Takes over a descriptor that listens on `address` already.
    /// - Parameter isOurs: whether a socket file goes with the socket, once ``ownFile()`` says so.
    init(adopting descriptor: Int32, _ address: ListenAddress, isOurs: Bool) {
        self.descriptor = descriptor
        self.address = address
        port = Self.boundPort(descriptor)
        if isOurs, case .unix(let path, _, _) = address {
            file = try? FileStatus(at: path).identity
        } else {
            file = nil
        }
        leavesFile.store(true, ordering: .relaxed)
        var on: Int32 = 1
        _ = unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Whether its file, if it has one, goes with it.
    public var isOurs: Bool {
        guard case .unix = address else { return true }
        return file != nil
    }

    /// Another process listens on it from now on: its file stays when this object goes.
    public func leaveFile() { leavesFile.store(true, ordering: .relaxed) }

    /// Declares this process the only listener: the socket file, if it is ours, goes with this object.
    public func ownFile() { leavesFile.store(false, ordering: .relaxed) }

    deinit {
        close(descriptor)
        guard case .unix(let path, _, _) = address, let file, !leavesFile.load(ordering: .relaxed) else { return }
        if (try? FileStatus(at: path).identity) == file { FilePath.remove(path) }
    }

    /// The reason why clients can no longer connect; nil while they can.
    public var failure: String? {
        var (isListening, size): (Int32, socklen_t) = (0, socklen_t(MemoryLayout<Int32>.size))
        let asked = unsafe getsockopt(descriptor, SOL_SOCKET, SO_ACCEPTCONN, &isListening, &size)
        guard asked == 0, isListening != 0 else { return "it no longer listens" }
        guard case .unix(let path, _, _) = address, let file else { return nil }
        guard let found = try? FileStatus(at: path).identity else { return "its file is gone" }
        return found == file ? nil : "its file is another's"
    }

    /// Accepts on `loop` until the returned acceptor is stopped. `handler` is called on the loop's thread.
    /// Only on the loop's thread.
    public func accept(on loop: EventLoop, _ handler: @escaping (Socket, Peer) -> Void) -> Acceptor {
        Acceptor(self, descriptor, loop, handler)
    }

    private static func bind(_ descriptor: Int32, host: String, port: UInt16, family: Int32) throws(SystemError) {
        var on: Int32 = 1
        try check("setsockopt") {
            unsafe setsockopt(descriptor, SOL_SOCKET, SO_REUSEADDR, &on, socklen_t(MemoryLayout<Int32>.size))
        }
        // Inherited by accepted sockets, which saves a call for each: answers are written whole.
        _ = unsafe setsockopt(descriptor, Int32(IPPROTO_TCP), TCP_NODELAY, &on, socklen_t(MemoryLayout<Int32>.size))
        if family == AF_INET6 {
            _ = unsafe setsockopt(
                descriptor, Int32(IPPROTO_IPV6), IPV6_V6ONLY, &on, socklen_t(MemoryLayout<Int32>.size))
            var ip = sockaddr_in6()
            ip.sin6_family = sa_family_t(AF_INET6)
            ip.sin6_port = port.bigEndian
            guard unsafe inet_pton(AF_INET6, host, &ip.sin6_addr) == 1 else {
                throw SystemError("inet_pton", code: EINVAL)
            }
            try bind(descriptor, &ip, size: MemoryLayout<sockaddr_in6>.size)
        } else {
            var ip = sockaddr_in()
            ip.sin_family = sa_family_t(AF_INET)
            ip.sin_port = port.bigEndian
            guard unsafe inet_pton(AF_INET, host, &ip.sin_addr) == 1 else {
                throw SystemError("inet_pton", code: EINVAL)
            }
            try bind(descriptor, &ip, size: MemoryLayout<sockaddr_in>.size)
        }
    }

    private static func bind(
        _ descriptor: Int32, path: String, mode: UInt32, group: String?
    ) throws(SystemError) {
        var unix = sockaddr_un()
        unix.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard bytes.count < MemoryLayout.size(ofValue: unix.sun_path) else {
            throw SystemError("bind", code: ENAMETOOLONG)
        }
        unsafe withUnsafeMutableBytes(of: &unix.sun_path) { unsafe $0.copyBytes(from: bytes) }
        if isSocket(path), UnixSocket.isAbandoned(at: path) { FilePath.remove(path) }
        // Made with no permissions but the owner's, then opened up: there is no moment in which others may connect. The
        // file gets the mode of the socket, so the process's umask, which other threads make files with,
        // stays as it is.
        try check("fchmod") { fchmod(descriptor, 0o600) }
        try bind(descriptor, &unix, size: MemoryLayout<sockaddr_un>.size)
        do {
            try openUp(path, mode: mode, group: group)
        } catch {
            FilePath.remove(path)
            throw error
        }
    }

    private static func openUp(_ path: String, mode: UInt32, group: String?) throws(SystemError) {
        if let group {
            let entry = unsafe getgrnam(group)
            guard let entry = unsafe entry else { throw SystemError("getgrnam(\"\(group)\")", code: ENOENT) }
            let gid = unsafe entry.pointee.gr_gid
            try check("chown") { unsafe chown(path, uid_t.max, gid) }
        }
        try check("chmod") { unsafe chmod(path, mode) }
    }

    /// A connect to any other kind of file is refused just like one to an abandoned socket.
    private static func isSocket(_ path: String) -> Bool {
        (try? FileStatus(ofLinkAt: path))?.kind == .socket
    }

    /// A description of the entry that stands where a socket file should be made, for a message; nil when there is no
    /// entry, or a socket.
    public static func obstacle(at path: String) -> String? {
        switch (try? FileStatus(ofLinkAt: path))?.kind {
        case nil, .socket: nil
        case .regular: "a regular file"
        case .folder: "a folder"
        case .link: "a symbolic link"
        case .other: "a file of another kind"
        }
    }

    private static func bind<Address>(
        _ descriptor: Int32, _ address: inout Address, size: Int
    ) throws(SystemError) {
        try check("bind") {
            unsafe withUnsafePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe Glibc.bind(descriptor, $0, socklen_t(size))
                }
            }
        }
    }

    private static func boundPort(_ descriptor: Int32) -> UInt16 {
        var address = sockaddr_storage()
        var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe getsockname(descriptor, $0, &size)
            }
        }
        guard result == 0, case .ip(_, let port) = Peer(address: address, descriptor: descriptor) else { return 0 }
        return port
    }
}

/// Accepts connections for one loop. Belongs to the loop's thread.
///
/// Why `@unchecked Sendable`: it is made, called and stopped on the loop's thread only.
public final class Acceptor: Watcher, @unchecked Sendable {
    private let listener: ListeningSocket
    private let descriptor: Int32
    private let loop: EventLoop
    private let handler: (Socket, Peer) -> Void
    private var token: WatchToken?
    private var pause: Timer?

    fileprivate init(
        _ listener: ListeningSocket, _ descriptor: Int32, _ loop: EventLoop,
        _ handler: @escaping (Socket, Peer) -> Void
    ) {
        self.listener = listener
        self.descriptor = descriptor
        self.loop = loop
        self.handler = handler
        watch()
    }

    /// Accepts no more on this loop. Only on the loop's thread.
    public func stop() {
        pause?.cancel()
        if let token { loop.unwatch(token, descriptor) }
        token = nil
    }

    public func isReady(_ events: Readiness) {
        // Accepts one connection a call. The watch is level-triggered and reports the next one; asking again would cost
        // each single connection a system call.
        var address = sockaddr_storage()
        let accepted = unsafe sy_accept(descriptor, &address)
        guard accepted >= 0 else {
            if errno == EMFILE || errno == ENFILE || errno == ENOMEM || errno == ENOBUFS { rest() }
            return
        }
        let peer = Peer(address: address, descriptor: accepted)
        // A socket that cannot be watched closes itself.
        if let socket = try? Socket(adopting: accepted, on: loop) { handler(socket, peer) }
    }

    /// Tries again in a moment where the kernel has no room for the watch.
    private func watch() {
        token = try? loop.watch(descriptor, self, for: [.readable, .exclusive])
        if token == nil { pause = loop.schedule(at: Instant.now() + .milliseconds(100)) { [self] in watch() } }
    }

    /// Out of descriptors: looks away for a moment instead of being called in a circle.
    private func rest() {
        guard let token else { return }
        loop.unwatch(token, descriptor)
        self.token = nil
        pause = loop.schedule(at: Instant.now() + .milliseconds(100)) { [self] in watch() }
    }
}
