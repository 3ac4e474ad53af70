internal import Glibc
internal import SwitchyardBridge
internal import SwitchyardFiles
internal import SwitchyardReactor

/// The standard descriptors of the session's ssh. If the person has a terminal, it is a terminal of ours, so the output
/// can be watched; otherwise pipes. An input that is no terminal is passed through unchanged.
final class SessionStreams {
    private(set) var terminal: PseudoTerminal?
    let input: Int32
    let output: Int32
    let error: Int32
    private(set) var outputs: [SessionOutput] = []

    private struct Source {
        let descriptor: Int32
        let output: SessionOutput
        /// Whether it is a pipe; otherwise it is the terminal's.
        let isPipe: Bool
        let ended = Promise<Void>()

        var isBusy: Bool {
            var event = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = unsafe poll(&event, 1, 0)
            return ready > 0 || output.isWriting
        }
    }

    private var sources: [Source] = []
    /// Raised when an output has ended, and when ``limit`` has changed.
    private let news = Signal()
    /// The time at which ``drain(quiet:)`` gives up.
    private var limit = Instant.never
    /// The sides that belong to ssh alone.
    private var givenAway: [Int32] = []

    /// The silence after which an address on the screen counts as complete.
    private static let pause = Duration.seconds(1)

    init(_ found: @escaping @Sendable (String) -> Void, on loop: EventLoop) throws {
        let areTerminals = [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO].map(PersonsTerminal.isTerminal)
        let screen: Int32? = areTerminals[1] ? STDOUT_FILENO : areTerminals[2] ? STDERR_FILENO : nil
        var output = STDOUT_FILENO
        var error = STDERR_FILENO
        if let screen {
            let terminal = try PseudoTerminal(like: screen)
            self.terminal = terminal
            let shown = SessionOutput(
                screen, isTerminal: true, columns: PersonsTerminal.columns(of: screen), found)
            sources.append(Source(descriptor: terminal.descriptor, output: shown, isPipe: false))
            input = areTerminals[0] ? terminal.programSide : STDIN_FILENO
            if areTerminals[1] { output = terminal.programSide }
            if areTerminals[2] { error = terminal.programSide }
        } else {
            input = STDIN_FILENO
        }
        for (number, isTerminal) in [(STDOUT_FILENO, areTerminals[1]), (STDERR_FILENO, areTerminals[2])]
        where !isTerminal {
            let pipe = try Pipe()
            givenAway.append(pipe.writing)
            if number == STDOUT_FILENO { output = pipe.writing } else { error = pipe.writing }
            sources.append(
                Source(
                    descriptor: pipe.reading, output: SessionOutput(number, isTerminal: false, columns: 0, found),
                    isPipe: true))
        }
        self.output = output
        self.error = error
        // Our notes go to the terminal if there is one, else to standard error.
        outputs = sources.map(\.output)
        if terminal != nil { outputs.append(outputs.removeFirst()) }
    }

    /// Starts the copying, once ssh has its sides.
    /// - Parameters:
    ///   - key: the key with which the person suspends this program; nil without one.
    ///   - resumed: called on another thread when this program resumes.
    func begin(suspendingBy key: SuspendKey?, resumed: @escaping @Sendable () -> Void) throws -> RawMode? {
        for descriptor in givenAway { close(descriptor) }
        terminal?.closeProgramSide()
        for source in sources {
            try ReadingThread.start(
                source.descriptor, pause: Self.pause, take: { source.output.take($0) },
                rest: { source.output.rest() },
                end: { [news] in
                    source.output.end()
                    // When the reader has gone, ssh learns that, as it would without us.
                    if source.isPipe { close(source.descriptor) }
                    source.ended.fulfil(())
                    news.raise()
                })
        }
        guard let terminal, let mode = RawMode(STDIN_FILENO) else { return nil }
        let keyboard = Keyboard(key, mode, terminal, resumed)
        try ReadingThread.start(STDIN_FILENO, pause: .seconds(3600), take: { keyboard.take($0) })
        return mode
    }

    /// Gives ``drain(quiet:)`` a time limit. Only on the loop's thread.
    func end(by limit: Instant) {
        self.limit = limit
        news.raise()
    }

    /// Waits until all of ssh's output has been shown, for as long as its reader takes.
    /// - Parameter quiet: the silence that counts as the end while some sides are open: processes that share ssh's
    ///   connection keep them for as long as the program over there runs.
    /// - Returns: whether all of it was shown.
    func drain(quiet: Duration) async -> Bool {
        for source in sources {
            let start = Instant.now()
            while source.ended.current == nil {
                let now = Instant.now()
                guard now < limit else { return false }
                let end = (source.isBusy ? now : max(start, source.output.lastActivity)) + quiet
                guard now < end else { break }
                _ = await news.wait(until: min(limit, end))
            }
        }
        return true
    }
}

/// Sends the person's input to the session.
///
/// Why `@unchecked Sendable`: only the reading thread uses it.
private final class Keyboard: @unchecked Sendable {
    private var key: SuspendKey?
    private let mode: RawMode
    private let terminal: PseudoTerminal
    private let resumed: @Sendable () -> Void

    init(
        _ key: SuspendKey?, _ mode: RawMode, _ terminal: PseudoTerminal, _ resumed: @escaping @Sendable () -> Void
    ) {
        self.key = key
        self.mode = mode
        self.terminal = terminal
        self.resumed = resumed
    }

    /// - Returns: false when the session has ended.
    func take(_ piece: ArraySlice<UInt8>) -> Bool {
        for part in key?.take(piece) ?? [.typed(Array(piece))] {
            switch part {
            case .typed(let bytes):
                guard (try? Descriptor.write(bytes, to: terminal.descriptor)) != nil else { return false }
            case .suspend:
                // The shell's words stand in a line of their own.
                try? Descriptor.write(Array("\r\n".utf8), to: STDIN_FILENO)
                mode.suspendProcess()
                resumed()
            }
        }
        return true
    }
}
