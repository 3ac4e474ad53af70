internal import Glibc
internal import SwitchyardConfiguration
internal import SwitchyardGateway
internal import SwitchyardReactor

/// `switchyard serve`: runs the gateway until it is told to stop.
struct ServeCommand: Command {
    static let name = "serve"
    static let summary = "run the gateway"
    static let options: [Option] = [.value("config")]
    static let help = """
        Runs the gateway; one line on standard error per sign-in event, with its reference.

        Usage: switchyard serve --config FILE

        Options:
          --config FILE   the configuration; `switchyard check` validates one
          --help          show this text

        Signals:
          SIGHUP          read the configuration and the certificates again; a bad one is refused and the old one kept
          SIGTERM, SIGINT stop: running requests finish, waiting apps are told to come again

        Example:
          switchyard serve --config /etc/switchyard/switchyard.yaml
        """

    private let path: String

    /// How long running requests get at the end.
    private static let grace = Duration.seconds(20)

    init(_ options: Options) throws {
        path = try options.required("config")
    }

    func run() throws -> ExitStatus {
        let outcome = ConfigurationFile.read(path)
        guard let configuration = outcome.configuration else {
            outcome.show()
            return .usage
        }
        let signals = SignalSet([SIGHUP, SIGTERM, SIGINT])
        Self.raiseOpenFiles()
        let log = try EventLog(configuration.log, descriptor: STDERR_FILENO)
        defer { log.finish() }
        log.tellWarnings(in: outcome.diagnostics)
        let group = try EventLoopGroup()
        group.start()
        let gateway = try Gateway(configuration, on: group, log: log)
        while signals.next() == SIGHUP { gateway.reload(ConfigurationFile.read(path), from: path) }
        try runToEnd { await gateway.stop(grace: Self.grace) }
        return .done
    }

    /// Each connection is an open file, and a shell allows 1024 of them unless it is asked for what it may allow.
    private static func raiseOpenFiles() {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

}

/// Reads a configuration for a command and says what is wrong with it.
enum ConfigurationFile {
    static func load(_ path: String) -> Configuration? {
        let outcome = read(path)
        outcome.show()
        return outcome.configuration
    }

    static func read(_ path: String) -> LoadOutcome {
        // A gateway that comes back goes on without the browsers that refuse its certificate, rather than not at all.
        Configuration.load(path: path, environment: Environment.all, expiredCertificate: .warning)
    }
}

extension LoadOutcome {
    fileprivate func show() {
        for diagnostic in diagnostics { Terminal.note("\(diagnostic)") }
    }
}
