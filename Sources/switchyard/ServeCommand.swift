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
        guard let configuration = ConfigurationFile.load(path) else { return .usage }
        let signals = SignalSet([SIGHUP, SIGTERM, SIGINT])
        Self.raiseOpenFiles()
        let log = EventLog()
        let group = try EventLoopGroup()
        group.start()
        let gateway = try Gateway(configuration, on: group, log: log)
        log.say("ready; browsers reach it at \(configuration.publicURL)")
        while signals.next() == SIGHUP { reload(gateway, log) }
        log.say("stopping")
        try runToEnd { await gateway.stop(grace: Self.grace) }
        log.say("stopped")
        return .done
    }

    /// Each connection is an open file, and a shell allows 1024 of them unless it is asked for what it may allow.
    private static func raiseOpenFiles() {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

    private func reload(_ gateway: Gateway, _ log: EventLog) {
        guard let configuration = ConfigurationFile.load(path) else {
            return log.say("configuration \(path) was refused; the old one stays")
        }
        do {
            try gateway.reload(configuration)
            log.say("configuration \(path) was read again")
        } catch {
            log.say("configuration \(path) was refused; the old one stays: \(error)")
        }
    }
}

/// Reads a configuration for a command and says what is wrong with it.
enum ConfigurationFile {
    static func load(_ path: String) -> Configuration? {
        let outcome = Configuration.load(path: path, environment: Environment.all)
        for diagnostic in outcome.diagnostics { Terminal.note("\(diagnostic)") }
        return outcome.configuration
    }
}
