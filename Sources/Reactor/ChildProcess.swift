internal import Glibc
internal import SwitchyardCLinux
internal import SwitchyardText

/// Programs that this one begins.
public enum ChildProcess {
    /// The number of the first descriptor that a program gets beside the standard three.
    public static let firstDescriptor: Int32 = 3
}

extension ChildProcess {
    /// The event that ends a program beside its own end.
    public enum Bond: Sendable {
        /// It goes on by itself.
        case none
        /// It gets SIGTERM when the calling thread ends, however that happens: by SIGKILL too.
        case thread
    }

    /// Begins a program with these standard descriptors and no others.
    /// - Parameters:
    ///   - program: found as a shell finds it. A program that does not exist ends at once with status 127.
    ///   - leadsSession: whether the program gets a session of its own. The first descriptor that is a terminal becomes
    ///     its controlling terminal.
    /// - Returns: the process. The caller must wait for it.
    public static func start(
        _ program: String, _ arguments: [String], _ environment: [String], input: Int32, output: Int32, error: Int32,
        leadsSession: Bool = false, bond: Bond = .thread
    ) throws(SystemError) -> Int32 {
        let arguments = CStrings(arguments)
        let environment = CStrings(environment)
        let process = unsafe sy_start(
            program, arguments.pointers, environment.pointers, input, output, error, leadsSession ? 1 : 0,
            bond == .thread ? 1 : 0)
        guard process > 0 else { throw SystemError("fork", code: errno) }
        return process
    }

    /// Becomes another program.
    /// - Returns: only when it cannot be had.
    public static func become(_ program: String, _ arguments: [String]) -> SystemError {
        let arguments = CStrings(arguments)
        unsafe execvp(program, arguments.pointers)
        return SystemError("exec(\"\(program)\")", code: errno)
    }
}

extension ChildProcess {
    /// The outcome of a wait for a child.
    public enum Wait: Sendable {
        case ended(ChildEnd)
        case running
        /// The kernel does not tell, as for a process that ignores SIGCHLD.
        case unknown
    }

    /// How often a kernel without pidfds is asked.
    private static let interval = Duration.milliseconds(20)

    /// Waits for the end of a program that this process has started, and reaps it. Blocks.
    public static func wait(for process: Int32, until deadline: Instant) -> Wait {
        let descriptor = sy_process_descriptor(process)
        defer { if descriptor >= 0 { close(descriptor) } }
        while true {
            var status: Int32 = 0
            let ended = unsafe waitpid(process, &status, WNOHANG)
            if ended == process { return .ended(ChildEnd(waitStatus: status)) }
            guard ended == 0 || errno == EINTR else { return .unknown }
            let rest = deadline - Instant.now()
            guard rest > .zero else { return .running }
            var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let pause = descriptor >= 0 ? rest : min(rest, interval)
            _ = unsafe poll(&wanted, 1, Int32(clamping: pause.wholeMilliseconds + 1))
        }
    }
}
