internal import Glibc
internal import SwitchyardConfiguration
internal import SwitchyardFiles
internal import SwitchyardGatewayClient
internal import SwitchyardHTTPClient
internal import SwitchyardJSON
internal import SwitchyardReactor

/// `switchyard reload`: has the running gateway read its configuration again, and prints the result.
struct ReloadCommand: Command {
    static let name = "reload"
    static let summary = "have the running gateway read its configuration again"
    static let options: [Option] =
        AdminConnection.options + [
            .file(
                "pid-file", "what `serve --pid-file` writes, for a gateway without an admin listener; not with --admin")
        ]
    static let help = Help(
        """
        Has the running gateway read its configuration, certificates and keys again, and says what came of it. The \
        configuration is looked through first: if it is wrong, the gateway is not even asked. Requests under way go on.
        """,
        exits: [
            .done: "the new configuration is in use", .failed: "no gateway runs, or it cannot be asked",
            .usage: "the configuration is wrong, and the old one stays",
        ],
        examples: ["switchyard reload --config /etc/switchyard/switchyard.yaml"])

    private let path: String?
    private let admin: String?
    private let pidFile: PidFile?
    private let trustAnchor: String?

    private static let reloadLimit = Duration.seconds(30)

    init(_ options: Options) throws {
        admin = options["admin"]
        pidFile = options["pid-file"].map { PidFile(path: $0) }
        if admin != nil, pidFile != nil { throw UsageError(message: "--admin and --pid-file exclude each other") }
        path = options["config"] ?? (admin == nil && pidFile == nil ? AdminConnection.usualConfiguration : nil)
        trustAnchor = options["ca"]
    }

    func run() throws -> ExitStatus {
        var configuration: Configuration?
        if let path {
            let outcome = try ConfigurationFile.readOfRunning(path)
            configuration = outcome.configuration
            // The gateway itself tells its warnings, where it is asked over its admin listener.
            if configuration == nil || pidFile != nil { Terminal.note(outcome.diagnostics) }
            guard configuration != nil else {
                Terminal.error("the configuration cannot be used; the gateway was not asked", hint: nil)
                return .usage
            }
        }
        if let pidFile { return try reload(pidFile) }
        let address: String
        if let admin {
            address = admin
        } else if let configuration, let path {
            address = try AdminConnection.address(in: configuration, path, orElse: "or name a file of --pid-file")
        } else {
            return .usage
        }
        return try reload(over: AdminConnection(address, trustAnchor: trustAnchor))
    }

    // MARK: Over the admin listener

    private func reload(over gateway: AdminConnection) throws -> ExitStatus {
        let answer = try runToEnd { try await gateway.post("/v1/reload", with: HTTPClient(loop: .required)) }
        if answer.status == 200 {
            for warning in Self.texts(answer.body["warnings"]) { Terminal.note(warning) }
            let (apps, issuers) = (answer.body["apps"]?.integer ?? 0, answer.body["issuers"]?.integer ?? 0)
            Terminal.say("reloaded: \(Int(apps).counted("app")), \(Int(issuers).counted("issuer"))")
            return .done
        }
        let errors = Self.texts(answer.body["errors"])
        guard !errors.isEmpty else {
            throw gateway.refusal("reload", answer)
        }
        for error in errors { Terminal.note(error) }
        return refused()
    }

    private static func texts(_ value: JSONValue?) -> [String] {
        (value?.array ?? []).compactMap { $0.string?.printable }
    }

    private func refused() -> ExitStatus {
        Terminal.error("the gateway keeps its old configuration", hint: nil)
        return .usage
    }

    // MARK: By its pid file

    private func reload(_ file: PidFile) throws -> ExitStatus {
        guard let before = file.read() else { throw CommandError("no gateway runs: \(file.path) names no process") }
        try check(before.process, named: file)
        guard kill(before.process, SIGHUP) == 0 else {
            throw CommandError(
                "process \(before.process) cannot be told: \(unsafe String(cString: strerror(errno)))")
        }
        let deadline = Instant.now() + Self.reloadLimit
        while Instant.now() < deadline {
            usleep(50_000)
            guard let now = file.read(), now.process == before.process else {
                throw CommandError("the gateway ended meanwhile")
            }
            guard now.reloads != before.reloads else { continue }
            if let reason = now.refusal {
                Terminal.note(reason.printable)
                return refused()
            }
            Terminal.say("reloaded")
            return .done
        }
        throw CommandError("the gateway was told, and says nothing; look into its log")
    }

    /// A user that may write the file must not aim root's signals at other programs, and a number outlives its process.
    private func check(_ process: Int32, named file: PidFile) throws {
        guard let own = try? FileStatus(at: file.path).owner, let its = try? FileStatus(at: "/proc/\(process)").owner
        else {
            // The sandbox of the service (ProtectProc=invisible) hides a process without core files, even from its own user. The
            // kernel lets users other than root signal their own processes only.
            if geteuid() != 0, kill(process, 0) == 0 { return }
            throw CommandError("no gateway runs: \(file.path) names process \(process), which is gone")
        }
        guard its == own || own == 0, TextFile.firstLine("/proc/\(process)/comm") == "switchyard"
        else {
            throw CommandError("no gateway runs: process \(process) in \(file.path) is another program")
        }
    }
}
