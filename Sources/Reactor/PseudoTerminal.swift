internal import Glibc
internal import SwitchyardCLinux
internal import Synchronization

/// A terminal of ours that a program may have in the place of the person's.
///
/// Why `@unchecked Sendable`: the program's side is closed once, by who began the program.
public final class PseudoTerminal: @unchecked Sendable {
    /// What the program writes comes out here, and what is written here it reads.
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

    /// Has the size of the other terminal from now on; its program is told.
    public func resize(like terminal: Int32) {
        _ = sy_copy_size(terminal, descriptor)
    }
}

/// The person's terminal.
public enum PersonsTerminal {
    public static func isTerminal(_ descriptor: Int32) -> Bool { isatty(descriptor) == 1 }

    /// 0 when nobody knows.
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

    /// Has the terminal as it was, for good.
    public func restore() {
        state.withLock { state in
            // Who is suspended has given it back, and would be stopped for touching it from the background.
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

    /// Who is continued by a signal that ends it has a moment for that, and a shell one to give it the terminal: to stop again
    /// behind its back would look like a second suspension.
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
        // Not after what is still to be shown: a terminal that takes nothing would be waited for without end.
        unsafe tcsetattr(descriptor, TCSANOW, &value)
    }
}
