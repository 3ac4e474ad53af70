internal import Glibc
internal import SwitchyardFiles
internal import SwitchyardReactor
internal import Synchronization

/// Standard output, written line by line on a thread of its own: a client that does not read stops nobody else. Safe from
/// any thread.
final class LineOutput: Sendable {
    private struct State {
        var waiting = 0
        var isOver = false
    }

    private let state = Mutex(State())
    private let loop: EventLoop
    /// Fulfilled when the client no longer reads.
    let isLost = Promise<Void>()

    /// A client that leaves so much unread is not there any more.
    private static let mostWaiting = 256 << 20

    init() throws(SystemError) {
        let group = try EventLoopGroup(count: 1)
        try group.start()
        loop = group.loops[0]
    }

    /// - Parameter line: without its end.
    func write(_ line: [UInt8]) {
        let isTaken = state.withLock { state in
            guard !state.isOver, state.waiting + line.count <= Self.mostWaiting else {
                state.isOver = true
                return false
            }
            state.waiting += line.count
            return true
        }
        guard isTaken else {
            isLost.fulfil(())
            return
        }
        loop.execute { [self] in
            guard !state.withLock(\.isOver) else { return }
            let isWritten = (try? Descriptor.write(line + [UInt8(ascii: "\n")], to: STDOUT_FILENO)) != nil
            state.withLock { state in
                state.waiting -= line.count
                if !isWritten { state.isOver = true }
            }
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
