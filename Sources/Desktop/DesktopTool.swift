internal import Glibc
internal import SwitchyardFiles
internal import SwitchyardReactor

/// Runs the desktop's own programs to their end, and reads their output. Without a shell.
public enum DesktopTool {
    public struct Output: Sendable {
        public let status: Int32
        /// Standard output and standard error together, at most 64 KiB.
        public let text: String
    }

    private static let maximumBytes = 64 << 10
    private static let outputLimit = Duration.seconds(10)

    /// Whether there is such a program.
    public static func exists(_ program: String) -> Bool { path(of: program) != nil }

    /// The path of the program that a shell would run.
    public static func path(of program: String) -> String? {
        let folders = unsafe getenv("PATH").map { unsafe String(cString: $0) } ?? "/usr/local/bin:/usr/bin:/bin"
        return folders.split(separator: ":").map { "\($0)/\(program)" }
            .first { $0.hasPrefix("/") && FilePath.isExecutable($0) }
    }

    /// Runs a program, in English. Blocks for up to ten seconds.
    /// - Parameter environment: changes to this process's environment; nil removes a variable.
    /// - Returns: nil if there is no such program, or it took too long.
    public static func run(
        _ program: String, _ arguments: [String], environment changes: [String: String?] = [:]
    ) -> Output? {
        guard let path = path(of: program) else { return nil }
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return nil }
        let (reading, writing) = (ends[0], ends[1])
        _ = fcntl(reading, F_SETFD, FD_CLOEXEC)
        _ = fcntl(writing, F_SETFD, FD_CLOEXEC)
        defer { close(reading) }
        guard let process = spawn(path, [program] + arguments, environment(changes), output: writing) else {
            close(writing)
            return nil
        }
        close(writing)
        let deadline = Instant.now() + outputLimit
        let bytes = collect(reading, until: deadline)
        guard let status = end(of: process, until: deadline), let bytes else { return nil }
        let code = status & 0x7F == 0 ? status >> 8 & 0xFF : 128 + (status & 0x7F)
        return Output(status: code, text: String(decoding: bytes, as: UTF8.self))
    }

    /// Waits for the end of a program; one that takes too long is killed.
    /// - Returns: its status as `wait` has it; nil for one that was killed.
    private static func end(of process: pid_t, until deadline: Instant) -> Int32? {
        var status: Int32 = 0
        while true {
            let ended = unsafe waitpid(process, &status, WNOHANG)
            if ended == process { return status }
            // A process that ignores SIGCHLD cannot learn the status.
            guard ended == 0 || errno == EINTR else { return nil }
            guard Instant.now() < deadline else { break }
            usleep(5_000)
        }
        kill(process, SIGKILL)
        while unsafe waitpid(process, &status, 0) < 0, errno == EINTR {}
        return nil
    }

    /// Reads a program's output to its end.
    /// - Returns: nil if the output does not end in time.
    private static func collect(_ file: Int32, until deadline: Instant) -> [UInt8]? {
        var bytes: [UInt8] = []
        while Instant.now() < deadline {
            var wish = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&wish, 1, 100) > 0 else { continue }
            let piece = (try? Descriptor.read(file, upTo: 4096)) ?? []
            guard !piece.isEmpty else { return bytes }
            if bytes.count < maximumBytes { bytes += piece }
        }
        return nil
    }

    private static func environment(_ changes: [String: String?]) -> [String] {
        var changes = changes
        changes["LC_ALL"] = "C.UTF-8"
        changes["LANGUAGE"] = .some(nil)
        let unchanged = ChildProcess.ownEnvironment.filter { variable in
            !changes.keys.contains(String(variable.prefix { $0 != "=" }))
        }
        return unchanged + changes.compactMap { name, value in value.map { "\(name)=\($0)" } }
    }

    private static func spawn(_ path: String, _ words: [String], _ environment: [String], output: Int32) -> pid_t? {
        let arguments: [UnsafeMutablePointer<CChar>?] = unsafe words.map { unsafe strdup($0) } + [nil]
        let variables: [UnsafeMutablePointer<CChar>?] = unsafe environment.map { unsafe strdup($0) } + [nil]
        defer {
            for index in unsafe arguments.indices { unsafe free(arguments[index]) }
            for index in unsafe variables.indices { unsafe free(variables[index]) }
        }
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO)
        unsafe posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO)
        var process = pid_t()
        let code = unsafe posix_spawn(&process, path, &actions, nil, arguments, variables)
        return code == 0 ? process : nil
    }
}
