internal import Glibc
internal import SwitchyardFiles
internal import SwitchyardReactor
internal import Synchronization

/// Standard output, written line by line on a thread of its own: a client that does not read stops nobody else. Safe from
/// any thread.
final class LineOutput: Sendable {
    private struct State {
        var waiting = 0
        var isFull = false
        var isOver = false
    }

    private let state = Mutex(State())
    private let loop: EventLoop
    private let tellRoom: @Sendable () -> Void
    /// Fulfilled when the client no longer reads.
    let isLost = Promise<Void>()

    /// From so much unread on the server has to wait, until little is left.
    private static let full = 4 << 20
    private static let little = 1 << 20
    /// Answers that were under way may come on top. A client that leaves so much unread is not there any more.
    private static let mostWaiting = 256 << 20
    /// The memory of a line beside its bytes.
    private static let overhead = 256

    /// - Parameter tellRoom: called on a thread of its own when there is room again.
    init(tellRoom: @escaping @Sendable () -> Void) throws(SystemError) {
        self.tellRoom = tellRoom
        let group = try EventLoopGroup(count: 1)
        try group.start()
        loop = group.loops[0]
    }

    /// Whether the client has so much to read that no more should come.
    var isFull: Bool { state.withLock(\.isFull) }

    /// - Parameter line: without its end.
    func write(_ line: [UInt8]) {
        let weight = line.count + Self.overhead
        let isTaken = state.withLock { state in
            guard !state.isOver, state.waiting + weight <= Self.mostWaiting else {
                state.isOver = true
                return false
            }
            state.waiting += weight
            if state.waiting > Self.full { state.isFull = true }
            return true
        }
        guard isTaken else {
            isLost.fulfil(())
            return
        }
        loop.execute { [self] in
            guard !state.withLock(\.isOver) else { return }
            let isWritten = (try? Descriptor.write(line + [UInt8(ascii: "\n")], to: STDOUT_FILENO)) != nil
            let hasRoom = state.withLock { state in
                state.waiting -= weight
                if !isWritten { state.isOver = true }
                guard state.isFull, state.waiting < Self.little else { return false }
                state.isFull = false
                return true
            }
            if hasRoom { tellRoom() }
            if !isWritten { isLost.fulfil(()) }
        }
    }

    /// Waits until everything is written, at most until `deadline`. Only from a task of a loop.
    func flush(until deadline: Instant) async {
        let isDone = Promise<Void>()
        loop.execute { isDone.fulfil(()) }
        _ = await isDone.value(until: deadline)
    }
}
