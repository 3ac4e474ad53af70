internal import Glibc
internal import SwitchyardCLinux
internal import Synchronization

/// A terminal of ours that a program gets in place of the person's terminal.
///
/// Why `@unchecked Sendable`: only the code that began the program closes the program's side, once.
public final class PseudoTerminal: @unchecked Sendable {
    /// Our side: reads the program's output, and writes its input.
    public let descriptor: Int32
    /// The program's side.
    public private(set) var programSide: Int32

    /// A terminal of the size and with the settings of another one.
    public init(like terminal: Int32) throws(SystemError) {
        var slave: Int32 = -1
        let master = unsafe sy_open_terminal(&slave)
        guard master >= 0 else { throw SystemError("posix_openpt", code: errno) }
        descriptor = master
        programSide = slave
        var settings = termios()
        if unsafe tcgetattr(terminal, &settings) == 0 { unsafe tcsetattr(slave, TCSANOW, &settings) }
        resize(like: terminal)
    }

    deinit {
        close(descriptor)
        closeProgramSide()
    }

    /// The program has its side: reading ends when it has closed that.
    public func closeProgramSide() {
        if programSide >= 0 { close(programSide) }
        programSide = -1
    }

    /// Takes over the size of the other terminal, and tells its program.
    public func resize(like terminal: Int32) {
        _ = sy_copy_size(terminal, descriptor)
    }
}

/// The person's terminal.
public enum PersonsTerminal {
    public static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// The width in columns; 0 when it is unknown.
    public static func columns(of descriptor: Int32) -> Int { Int(sy_columns(descriptor)) }
}

/// How a terminal was, while its bytes go through untouched. Safe from any thread.
public final class RawMode: Sendable {
    private let descriptor: Int32
    private let settings: Settings
    private let state: Mutex<State>

    /// Why `@unchecked Sendable`: a plain value of C, never changed.
    private struct Settings: @unchecked Sendable {
        var value = termios()
    }

    private enum State {
        case raw
        case suspended
        case over
    }

    /// Lets every byte through from now on, in both directions.
    /// - Returns: nil when the descriptor is no terminal.
    public init?(_ descriptor: Int32) {
        self.descriptor = descriptor
        var settings = Settings()
        guard unsafe tcgetattr(descriptor, &settings.value) == 0 else { return nil }
        self.settings = settings
        state = Mutex(.raw)
        set(raw: true)
    }

    /// Restores the terminal's settings, for good.
    public func restore() {
        state.withLock { state in
            // A suspended process has given the terminal back already. Touching it from the background would stop this
            // process.
            if state == .raw { set(raw: false) }
            state = .over
        }
    }

    /// Stops this process as a shell stops a job, with the terminal as it was. Blocks until the process is
    /// in the foreground again.
    public func suspendProcess() {
        change(from: .raw, to: .suspended)
        var stop = sigset_t()
        unsafe sigemptyset(&stop)
        unsafe sigaddset(&stop, SIGTSTP)
        unsafe pthread_sigmask(SIG_UNBLOCK, &stop, nil)
        repeat { raise(SIGTSTP) } while !comesToForeground
        unsafe pthread_sigmask(SIG_BLOCK, &stop, nil)
        change(from: .suspended, to: .raw)
    }

    private func change(from old: State, to new: State) {
        state.withLock { state in
            guard state == old else { return }
            state = new
            set(raw: new == .raw)
        }
    }

    /// After SIGCONT the shell needs a moment to give the terminal back, and a signal that ends this process needs one
    /// to arrive. Stopping again before that would look like a second suspension.
    private var comesToForeground: Bool {
        for _ in 0..<50 {
            let group = tcgetpgrp(descriptor)
            if group < 0 || group == getpgrp() { return true }
            usleep(20_000)
        }
        return false
    }

    private func set(raw isRaw: Bool) {
        var value = settings.value
        if isRaw { unsafe cfmakeraw(&value) }
        // TCSANOW does not wait for output that is still to be shown: a terminal that takes no output would block this
        // call for ever.
        unsafe tcsetattr(descriptor, TCSANOW, &value)
    }
}
