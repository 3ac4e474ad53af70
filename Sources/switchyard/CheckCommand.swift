internal import SwitchyardConfiguration
internal import SwitchyardSQLiteStore

/// `switchyard check`: validates a configuration and says what follows from it.
struct CheckCommand: Command {
    static let name = "check"
    static let summary = "validate a configuration and print its routes"
    static let options: [Option] = [
        .file(
            "config",
            "the configuration; a file called agent.yaml is that of an agent (default: /etc/switchyard/switchyard.yaml)"
        ),
        .flag("start", "judge as a start does: a faulty file of apps is named and left out"),
        .flag("store", "look through its store as well, also while a gateway uses it"),
    ]
    static let help = Help(
        """
        Validates a configuration: every error with file, line, column and remedy, all at once, on standard error. Prints \
        the routes, what each app's policy protects against, and the redirect URIs to register with each issuer.
        """,
        """
        A file called agent.yaml, which may be missing, is looked at as `switchyard agent` does, with the files of apps.d \
        beside it and of /etc/switchyard/agent.d.
        """,
        """
        Root sees a gateway's configuration as the gateway's user does, which is the owner of the admin socket or the user of \
        switchyard.service.
        """,
        exits: [
            .done: "it can be served", .failed: "the store is damaged, or cannot be read",
            .usage: "it cannot be served, or a file of apps is faulty and would be left out",
        ],
        examples: ["switchyard check", "switchyard check --config switchyard.yaml"])

    private let path: String
    private let looksAtStore: Bool
    private let isForStart: Bool

    init(_ options: Options) throws {
        path = try ConfigurationFile.path(options)
        isForStart = options.has("start")
        looksAtStore = options.has("store")
    }

    func run() throws -> ExitStatus {
        switch try load(leavesFaultyOut: isForStart) {
        case .refused(let diagnostics, _):
            Terminal.note(diagnostics)
            if !isForStart, case .usable(let loaded) = try load(leavesFaultyOut: true) { note(loaded.leftOut) }
            return .usage
        case .usable(let loaded):
            Terminal.note(loaded.warnings.filter(\.leavesFileOut))
            let warnings = loaded.warnings.filter { !$0.leavesFileOut }
            Terminal.say(CheckReport(loaded.configuration, warnings: warnings).description)
            guard areFilesOurs(loaded.configuration) else { return .usage }
            return looksAtStore ? check(loaded.configuration.store) : .done
        }
    }

    /// Tells how a start would treat faulty files.
    private func note(_ leftOut: [LeftOutFile]) {
        guard !leftOut.isEmpty else { return }
        let files = leftOut.map(\.file).sorted().joined(separator: ", ")
        Terminal.note("a start would leave out \(files), and serve everything else")
    }

    private func load(leavesFaultyOut: Bool) throws -> LoadOutcome {
        guard AgentConfiguration.isMeant(by: path) else {
            return ConfigurationFile.seen(path, expiredCertificate: .error, leavesFaultyOut: leavesFaultyOut).outcome
        }
        // The session decides the agent's sockets, so a check works without a session.
        return try AgentConfiguration(path, in: nil).read(leavesFaultyOut: leavesFaultyOut)
    }

    /// Whether the gateway would take the files of its store that are there already.
    private func areFilesOurs(_ configuration: Configuration) -> Bool {
        guard case .sqlite(let path) = configuration.store else { return true }
        let foreign = SQLiteStore.foreignFiles(path: path, hasOwnKey: configuration.encryptionKeys.isEmpty)
        for file in foreign {
            Terminal.note(
                "\(file.path): it belongs to user \(file.owner), and the gateway's user is \(file.expected); give it to that "
                    + "user (chown), or move it away")
        }
        return foreign.isEmpty
    }

    private func check(_ store: Configuration.Store) -> ExitStatus {
        guard case .sqlite(let path) = store else {
            let place = if case .redis = store { "in Redis, which looks after them" } else { "in memory" }
            Terminal.say("Store\n  requests are kept \(place): there is nothing to look through\n")
            return .done
        }
        guard let (problems, requests) = SQLiteStore.check(path: path) else {
            Terminal.say("Store\n  \(path) is not there yet: the gateway makes it when it starts\n")
            return .done
        }
        guard problems.isEmpty else {
            for problem in problems { Terminal.note("\(path): \(problem)") }
            return .failed
        }
        Terminal.say("Store\n  \(path) is whole and holds \(requests) requests\n")
        return .done
    }
}
