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
    /// How long a killed program may take to end.
    private static let endLimit = Duration.seconds(5)

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
        guard let path = path(of: program), let pipe = try? Pipe(), let null = try? OpenFile("/dev/null", for: .device)
        else {
            return nil
        }
        defer { close(pipe.reading) }
        let process = try? ChildProcess.start(
            path, [program] + arguments, environment(changes), input: null.descriptor, output: pipe.writing,
            error: pipe.writing,
            bond: .none)
        close(pipe.writing)
        guard let process else { return nil }
        let deadline = Instant.now() + outputLimit
        let bytes = collect(pipe.reading, until: deadline)
        switch ChildProcess.wait(for: process, until: deadline) {
        case .ended(let end): return bytes.map { Output(status: end.status, text: String(decoding: $0, as: UTF8.self)) }
        case .unknown: return nil
        case .running:
            kill(process, SIGKILL)
            _ = ChildProcess.wait(for: process, until: .now() + endLimit)
            return nil
        }
    }

    /// Reads a program's output to its end.
    /// - Returns: nil if the output does not end in time.
    private static func collect(_ file: Int32, until deadline: Instant) -> [UInt8]? {
        var bytes: [UInt8] = []
        while Instant.now() < deadline {
            var wanted = pollfd(fd: file, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&wanted, 1, 100) > 0 else { continue }
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
}
