internal import SwitchyardConfiguration
internal import SwitchyardSQLiteStore

/// `switchyard check`: validates a configuration and says what follows from it.
struct CheckCommand: Command {
    static let name = "check"
    static let summary = "validate a configuration and print its routes"
    static let options: [Option] = [
        .file("config", "the configuration; a file called agent.yaml is that of an agent", required: true),
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
        exits: [
            .done: "it can be served", .failed: "the store is damaged, or cannot be read",
            .usage: "it cannot be served",
        ],
        examples: ["switchyard check --config deploy/switchyard.yaml"])

    private let path: String
    private let looksAtStore: Bool

    init(_ options: Options) throws {
        path = try options.required("config")
        looksAtStore = options.has("store")
    }

    func run() throws -> ExitStatus {
        switch try load() {
        case .refused(let diagnostics, _):
            Terminal.note(diagnostics)
            return .usage
        case .usable(let loaded):
            Terminal.say(CheckReport(loaded.configuration, warnings: loaded.warnings).description)
            guard areFilesOurs(loaded.configuration) else { return .usage }
            return looksAtStore ? check(loaded.configuration.store) : .done
        }
    }

    private func load() throws -> LoadOutcome {
        guard AgentConfiguration.isMeant(by: path) else {
            return Configuration.load(path: path, environment: Environment.all)
        }
        // Where it will listen is the session's business: a check works without one.
        return try AgentConfiguration(path, in: nil).read(leavesFaultyOut: false)
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
