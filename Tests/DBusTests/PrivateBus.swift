import Glibc
import SwitchyardReactor
import Synchronization
import Testing

/// A session bus of one test: dbus-daemon in a folder of its own, which can start `peer.py` as `org.example.Peer`.
final class PrivateBus: Sendable {
    let address: String
    private let folder: String
    private let process: pid_t
    private let hasEnded = Mutex(false)

    init() throws {
        var name = Array("/tmp/switchyard-bus.XXXXXX".utf8CString)
        guard unsafe mkdtemp(&name) != nil else { throw SystemError("mkdtemp", code: errno) }
        folder = String(decoding: name.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        address = "unix:path=\(folder)/bus"
        let peer = #filePath.split(separator: "/").dropLast().map { "/\($0)" }.joined() + "/peer.py"
        try Self.write(
            """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
              "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig><type>session</type><listen>\(address)</listen><servicedir>\(folder)</servicedir>
            <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/>
            <allow own="*"/></policy></busconfig>
            """, to: folder + "/bus.conf")
        try Self.write(
            Self.service("org.example.Peer", "/usr/bin/python3 \(peer) org.example.Peer"), to: folder + "/peer.service")
        try Self.write(Self.service("org.example.Gone", "\(folder)/no-program"), to: folder + "/gone.service")
        // It says its address once it listens.
        process = try Self.spawn(
            "dbus-daemon --nofork --nopidfile --config-file=\(folder)/bus.conf --print-address",
            output: folder + "/address")
        var status = stat()
        while unsafe stat(folder + "/address", &status) != 0 || status.st_size == 0 {
            try #require(kill(process, 0) == 0)
            usleep(5000)
        }
    }

    deinit { end() }

    /// Kills the bus; what it has started ends with its connection.
    func end() {
        let isFirst = hasEnded.withLock { hasEnded in
            defer { hasEnded = true }
            return !hasEnded
        }
        guard isFirst else { return }
        var status: Int32 = 0
        kill(process, SIGKILL)
        _ = unsafe waitpid(process, &status, 0)
        guard let removal = try? Self.spawn("rm -rf \(folder)") else { return }
        _ = unsafe waitpid(removal, &status, 0)
    }

    private static func service(_ name: String, _ command: String) -> String {
        "[D-BUS Service]\nName=\(name)\nExec=\(command)\n"
    }

    private static func write(_ text: String, to path: String) throws {
        guard let file = unsafe fopen(path, "w") else { throw SystemError("fopen", code: errno) }
        defer { unsafe fclose(file) }
        unsafe fputs(text, file)
    }

    /// With no signal blocked: the bus learns by a signal that a program could not be started. Its output is dropped,
    /// because a reader of the tests' output would wait for its end.
    private static func spawn(_ command: String, output: String = "/dev/null") throws -> pid_t {
        var environment: [String] = []
        var variable = unsafe environ
        while let text = unsafe variable.pointee {
            environment.append(unsafe String(cString: text))
            unsafe variable += 1
        }
        return try ChildProcess.start(
            "sh", ["sh", "-c", "exec \(command) >\(output) 2>/dev/null"], environment, input: STDIN_FILENO,
            output: STDOUT_FILENO, error: STDERR_FILENO, bond: .none)
    }
}
