internal import Glibc
internal import SwitchyardCLinux

/// The event that ended a wait.
public enum Wake: Sendable {
    /// The socket may be ready.
    case ready
    /// The deadline has passed.
    case expired
    /// ``Socket/interrupt()`` was called.
    case interrupted
}

/// An object that waits for a socket without a task.
public protocol SocketObserver: AnyObject {
    /// Called once for each ``Socket/whenReadable(_:)``, on the loop's thread.
    func socketIsReady(_ wake: Wake)
}

/// A connected, non-blocking stream socket on the loop that made it. It belongs to the loop's thread, and to one task:
/// at most one wait for reading and one for writing at a time.
///
/// Why `@unchecked Sendable`: a connection's task runs on the loop's thread, where alone it is touched.
public final class Socket: Watcher, @unchecked Sendable {
    public let descriptor: Int32
    public let loop: EventLoop
    private var token: WatchToken?
    /// Whether the socket is closed. The descriptor may belong to another file then, so it must not be used.
    public private(set) var isClosed = false
    // Side by side, since among the others each would take eight bytes of every connection.
    private var isWatchedForWriting = false
    private var hasReadEdge = false
    private var hasWriteEdge = false
    public private(set) var isPeerGone = false
    /// Whether a read may give something without waiting first: true until a read came back short.
    public private(set) var mayHaveInput = true

    private var reader: Waiter<Wake>?
    private var observer: (any SocketObserver)?
    private var writer: Waiter<Wake>?

    /// When a wait gives up; ``Instant/never`` by default. Held to within a quarter of a second.
    public var deadline = Instant.never

    /// Called once, on the loop's thread, when the peer has gone. For code that waits for something else than the peer.
    public var onPeerGone: (() -> Void)?

    /// Takes over `descriptor`, which must be non-blocking. Only on the loop's thread.
    public init(adopting descriptor: Int32, on loop: EventLoop) throws(SystemError) {
        self.descriptor = descriptor
        self.loop = loop
        token = try loop.watch(descriptor, self, for: Self.reading)
    }

    deinit {
        if !isClosed { close(descriptor) }
    }

    private static let reading: Readiness = [.readable, .peerClosed, .edge]

    /// Returns when there may be bytes to read, or at the deadline. An edge since the last wait counts.
    public func readable() async -> Wake {
        mayHaveInput = true
        if takeReadEdge() { return .ready }
        if deadline <= loop.now { return .expired }
        return await suspend { reader = $0 }
    }

    /// Calls `observer` once, when ``readable()`` would return: at once after an edge since the last wait. Only while
    /// no task waits for reading.
    public func whenReadable(_ observer: any SocketObserver) {
        mayHaveInput = true
        if takeReadEdge() { observer.socketIsReady(.ready) } else { self.observer = observer }
    }

    /// The end may share one edge with the last bytes, and no further edge follows it. From then on every read finds
    /// bytes or the end.
    private func takeReadEdge() -> Bool {
        defer { hasReadEdge = false }
        return hasReadEdge || isPeerGone
    }

    /// The process at the other end of a Unix socket; nil where the kernel does not say. Only on the loop's thread.
    public var peerProcess: PeerProcess? { isClosed ? nil : PeerProcess(socket: descriptor) }

    /// The number of the process at the other end of a Unix socket; 0 for a process that the kernel hides, nil over a
    /// network. Only for counting: a number may be reused. Only on the loop's thread.
    public var peerProgram: Int32? {
        var (uid, id) = (uid_t.max, pid_t())
        guard !isClosed, unsafe sy_peer_user(descriptor, &uid, &id) == 0, uid != uid_t.max else { return nil }
        return id
    }

    /// Returns when there may be room to write, or at the deadline.
    public func writable() async -> Wake {
        guard watchForWriting() else { return .interrupted }
        if hasWriteEdge {
            hasWriteEdge = false
            return .ready
        }
        if deadline <= loop.now { return .expired }
        return await suspend { writer = $0 }
    }

    /// Ends a wait that is under way, if there is one. Only on the loop's thread.
    public func interrupt() {
        wakeReader(.interrupted)
        wakeWriter(.interrupted)
    }

    /// Closes the socket. Only on the loop's thread; do not read or write afterwards.
    public func shutDown() {
        guard let token else { return }
        loop.forget(token)
        self.token = nil
        onPeerGone = nil
        isClosed = true
        close(descriptor)
        interrupt()
    }

    /// Closes the socket so that the peer sees an error, and not the end of the data. Only on the loop's thread.
    public func reset() {
        guard !isClosed else { return }
        var atOnce = linger(l_onoff: 1, l_linger: 0)
        _ = unsafe setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &atOnce, socklen_t(MemoryLayout<linger>.size))
        shutDown()
    }

    /// Most sockets never fill up, so writing is watched only after the first full one. A watch for both would wake the
    /// loop for every new connection.
    private func watchForWriting() -> Bool {
        guard let token else { return false }
        guard !isWatchedForWriting else { return true }
        isWatchedForWriting = true
        return (try? loop.change(token, descriptor, to: Self.reading.union(.writable))) != nil
    }

    /// Tells the peer that no more bytes follow; reading continues.
    public func shutDownWriting() {
        guard !isClosed else { return }
        shutdown(descriptor, Int32(SHUT_WR))
    }

    public func isReady(_ events: Readiness) {
        let gone = !events.isDisjoint(with: [.peerClosed, .hungUp, .failed])
        let isNews = gone && !isPeerGone
        // Before a waiter is woken, because it may look at this at once.
        if gone { isPeerGone = true }
        if gone || events.contains(.readable) {
            if !wakeReader(.ready) { hasReadEdge = true }
        }
        if gone || events.contains(.writable) {
            if writer == nil { hasWriteEdge = true } else { wakeWriter(.ready) }
        }
        if isNews {
            onPeerGone?()
            onPeerGone = nil
        }
    }

    public func deadlineHasPassed() {
        wakeReader(.expired)
        wakeWriter(.expired)
    }

    /// - Returns: whether a task or an observer waited for input.
    @discardableResult
    private func wakeReader(_ wake: Wake) -> Bool {
        if let waiting = observer {
            observer = nil
            waiting.socketIsReady(wake)
            return true
        }
        guard let waiting = reader else { return false }
        reader = nil
        waiting.resume(returning: wake)
        return true
    }

    private func wakeWriter(_ wake: Wake) {
        guard let waiting = writer else { return }
        writer = nil
        waiting.resume(returning: wake)
    }
}

/// The result of a read on a non-blocking socket.
public enum ReadResult: Sendable, Equatable {
    case bytes(Int)
    case wouldBlock
    case endOfStream
    case failed
}

extension Socket {
    /// Reads into `buffer` from `offset` to its end. ``ReadResult/bytes(_:)`` says how many came.
    public func read(into buffer: inout [UInt8], at offset: Int) -> ReadResult {
        guard !isClosed else { return .failed }
        var count = 0
        repeat {
            count = unsafe buffer.withUnsafeMutableBytes { bytes in
                unsafe recv(descriptor, bytes.baseAddress?.advanced(by: offset), bytes.count - offset, 0)
            }
        } while count < 0 && errno == EINTR
        // A short read emptied the socket: the next byte, or the end, comes with a new edge.
        mayHaveInput = count == buffer.count - offset
        if count > 0 { return .bytes(count) }
        if count == 0 { return .endOfStream }
        return errno == EAGAIN || errno == EWOULDBLOCK ? .wouldBlock : .failed
    }

    /// Writes as many of `bytes` from `offset` on as the kernel takes. ``ReadResult/bytes(_:)`` says how many.
    public func write(_ bytes: [UInt8], from offset: Int) -> ReadResult {
        guard !isClosed else { return .failed }
        var count = 0
        repeat {
            count = unsafe bytes.withUnsafeBytes { bytes in
                unsafe send(
                    descriptor, bytes.baseAddress?.advanced(by: offset), bytes.count - offset,
                    Int32(MSG_NOSIGNAL))
            }
        } while count < 0 && errno == EINTR
        if count >= 0 { return .bytes(count) }
        return errno == EAGAIN || errno == EWOULDBLOCK ? .wouldBlock : .failed
    }
}
