internal import Glibc
internal import SwitchyardMCP
internal import SwitchyardReactor
internal import Synchronization

/// Standard input, read on a thread of its own: its flags are shared with other programs.
enum ClientInput {
    private static let rest = Duration.seconds(3600)

    /// Reads until the end, and gives each line to the loop.
    /// - Parameters:
    ///   - take: called on the loop's thread.
    ///   - end: called there after the last line.
    static func start(
        on loop: EventLoop, take: @escaping @Sendable (LineSplitter.Line) -> Void, end: @escaping @Sendable () -> Void
    ) throws(SystemError) {
        let splitter = Mutex(LineSplitter(maximum: RemoteServer.maximumMessage))
        let give: @Sendable ([LineSplitter.Line]) -> Void = { lines in
            guard !lines.isEmpty else { return }
            loop.execute { for line in lines { take(line) } }
        }
        try ReadingThread.start(
            STDIN_FILENO, pause: rest,
            take: { piece in
                give(splitter.withLock { $0.take(piece) })
                return true
            },
            end: {
                give(splitter.withLock { $0.finish() })
                loop.execute(end)
            })
    }
}
