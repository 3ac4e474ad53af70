internal import Glibc
internal import SwitchyardConfiguration
internal import SwitchyardDesktop
internal import SwitchyardGateway
internal import SwitchyardLifecycle
internal import SwitchyardReactor

/// `switchyard serve`: runs the gateway until it is told to stop.
struct ServeCommand: Command {
    static let name = "serve"
    static let summary = "run the gateway"
    static let serves = true
    static let options: [Option] = [
        .file(
            "config", "the configuration; `switchyard check` validates one (default: /etc/switchyard/switchyard.yaml)"),
        .file("pid-file", "where to write which process it is, and how its last reload went"),
    ]
    static let help = Help(
        "Runs the gateway; one line on standard error per sign-in event, with its reference.",
        """
        Certificates, keys, secrets in files and apps_directory are taken by themselves when they change. A faulty file of \
        apps_directory is left out, or its last good version stays in use; everything else is served.
        """,
        sections: [
            HelpSection(
                "Signals",
                [
                    "SIGHUP": """
                    read the configuration, the certificates and the keys again; what is bad is refused and the old \
                    kept. `switchyard reload` does it and says what came of it
                    """,
                    "SIGTERM, SIGINT": """
                    stop: running requests finish within stop_timeout, waiting apps are told to come again; the second \
                    time, stop at once
                    """,
                    "SIGUSR2": """
                    begin the program that stands at the same path by now, with the same sockets; once it serves, this \
                    one ends. Not one connection is refused. Where it does not come to serve, this one goes on
                    """,
                ])
        ],
        examples: ["switchyard serve --config /etc/switchyard/switchyard.yaml"])

    private let path: String
    private let pidFile: PidFile?

    init(_ options: Options) throws {
        path = try ConfigurationFile.path(options)
        pidFile = options["pid-file"].map { PidFile(path: $0) }
    }

    func run() throws -> ExitStatus {
        let predecessor = try Predecessor.find()
        let sockets = InheritedSockets(try predecessor?.sockets ?? ServiceManager.inheritedSockets())
        Gateway.prepareProcess()
        let loaded: LoadedConfiguration
        switch ConfigurationFile.read(path) {
        case .usable(let usable): loaded = usable
        case .refused(let diagnostics, _):
            Terminal.note(diagnostics)
            predecessor?.fail(diagnostics.errors.first.map { "\($0)" } ?? "no configuration")
            return .usage
        }
        do {
            try serve(loaded, sockets, after: predecessor)
        } catch {
            predecessor?.fail("\(error)")
            throw error
        }
        return .done
    }

    private func serve(
        _ loaded: LoadedConfiguration, _ sockets: InheritedSockets, after predecessor: Predecessor?
    ) throws {
        let configuration = loaded.configuration
        if let place = predecessor?.place, place != configuration.store.place {
            throw CommandError(
                "the store cannot be changed by an upgrade: the requests under way are in another one (\(place)); stop the gateway "
                    + "and start it again")
        }
        let signals = try SignalSource([SIGHUP, SIGTERM, SIGINT, SIGUSR2])
        Self.raiseOpenFiles()
        let log = try EventLog.onStandardError(configuration.log)
        defer { log.finish() }
        log.tellWarnings(in: loaded.warnings)
        let group = try EventLoopGroup()
        try group.start()
        let listeners = try BoundListeners(configuration, from: sockets)
        // The predecessor's sockets that this configuration no longer names are simply closed.
        if predecessor == nil, let stranger = sockets.remaining.first {
            throw CommandError(
                "the socket \(stranger), which was inherited, is no listener of \(path): write \"address: \(stranger)\" "
                    + "below listen, or take it out of the .socket unit")
        }
        try pidFile?.tryWriting()
        predecessor?.takeOver()
        let gateway = try Gateway(configuration, on: group, log: log, listeners: listeners, leftOut: loaded.leftOut)
        defer { pidFile?.remove() }
        try runToEnd { [path, pidFile] in
            let failure = await gateway.tryStore()
            if let predecessor {
                if let failure { throw CommandError(failure) }
                predecessor.serve()
                for socket in gateway.sockets { socket.ownFile() }
                sockets.closeRest()
            }
            try pidFile?.begin()
            let keeper = ConfigurationKeeper(
                loaded, from: path, for: gateway, on: .required,
                read: { ConfigurationFile.read(path, after: $0) }
            ) { pidFile?.note($0) }
            let control = ServeControl(gateway, keeper, signals, group, on: .required)
            if try await control.run() { pidFile?.giveAway() }
        }
    }

    /// Raises the soft limit to the hard one. Each connection is an open file, and a shell allows only 1024 by default.
    private static func raiseOpenFiles() {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        _ = unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }

}

extension EventLog {
    /// If standard error is the journal, lines go there with fields of their own.
    static func onStandardError(_ log: LogConfiguration) throws -> EventLog {
        guard let journal = Journal(behind: STDERR_FILENO) else {
            return try EventLog(log, descriptor: STDERR_FILENO)
        }
        return try EventLog(log, journal: { journal.write($0) })
    }
}

extension Terminal {
    /// Prints the diagnostics of a configuration, one per line.
    static func note(_ diagnostics: [Diagnostic]) {
        for diagnostic in diagnostics { note("\(diagnostic)") }
    }
}
