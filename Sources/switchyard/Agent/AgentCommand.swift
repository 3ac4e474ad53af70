internal import Glibc
internal import SwitchyardAgent
internal import SwitchyardConfiguration
internal import SwitchyardDesktop
internal import SwitchyardGateway
internal import SwitchyardLifecycle
internal import SwitchyardPhrases
internal import SwitchyardReactor
internal import SwitchyardTokenStorage

/// `switchyard agent`: the gateway of one user's desktop session.
struct AgentCommand: Command {
    static let name = "agent"
    static let summary = "run the gateway of this desktop session, for this user alone"
    static let serves = true
    static let options: [Option] = [
        .file("config", "its own file (default: switchyard/agent.yaml in $XDG_CONFIG_HOME or ~/.config)"),
        .value("idle", "DURATION", "end after so long without work (default: 5m where systemd listens, else never)"),
    ]
    static let help = Help(
        """
        Serves the apps' API on $XDG_RUNTIME_DIR/switchyard/agent.sock to the user that runs it and to nobody else: apps \
        begin sign-ins there, and `switchyard open` brings it what a browser gives to a custom scheme. There is one for each \
        user.
        """,
        """
        Apps stand in its own file, in apps.d beside that, and in /etc/switchyard/agent.d; it needs none of them to start. A \
        file of these folders with a mistake is left out, and the log says why. Changes there are taken by themselves.
        """,
        sections: [
            HelpSection(
                "Signals",
                [
                    "SIGHUP": "read everything again; what is bad is refused and the old kept",
                    "SIGTERM, SIGINT": "stop: running requests finish; the second time, at once",
                ])
        ],
        exits: [
            .done: "it was told to stop, or had nothing to do", .failed: "it runs already, or cannot start",
            .usage: "wrong usage or configuration",
        ],
        examples: ["switchyard agent", "systemctl --user enable --now switchyard-agent.socket"])

    private let file: String?
    private let idle: Duration?

    init(_ options: Options) throws {
        file = options["config"]
        idle = try options["idle"].map { text in
            guard let duration = Duration(spelled: text), duration >= .seconds(1) else {
                throw UsageError(message: "--idle \"\(text)\" is no duration of a second or more, such as 5m")
            }
            return duration
        }
    }

    func run() throws -> ExitStatus {
        // Only the agent's user may read its files.
        umask(0o077)
        let sockets = InheritedSockets(try ServiceManager.inheritedSockets())
        let isActivated = !sockets.remaining.isEmpty
        let folder: AgentFolder
        do throws(AgentFolder.FolderError) {
            folder = try AgentFolder.make()
        } catch {
            throw CommandError(error.description, hint: error.remedy)
        }
        let lock = try AgentLock(folder.lock)
        let files = try AgentConfiguration(file, in: folder)
        switch files.read(leavesFaultyOut: true) {
        case .refused(let diagnostics, _):
            Terminal.note(diagnostics)
            return .usage
        case .usable(let loaded):
            try serve(loaded, files, sockets, idle ?? (isActivated ? .seconds(300) : nil))
            return withExtendedLifetime(lock) { .done }
        }
    }

    private func serve(
        _ loaded: LoadedConfiguration, _ files: AgentConfiguration, _ sockets: InheritedSockets, _ idle: Duration?
    ) throws {
        let configuration = loaded.configuration
        let signals = try SignalSource([SIGHUP, SIGTERM, SIGINT])
        let log = try EventLog.onStandardError(configuration.log)
        defer { log.finish() }
        log.tellWarnings(in: loaded.warnings)
        // One person's sign-ins need no second thread.
        let group = try EventLoopGroup(count: 1)
        try group.start()
        let listeners: BoundListeners
        do {
            listeners = try BoundListeners(configuration, from: sockets)
        } catch {
            throw CommandError(
                "\(error)", hint: "where systemd listens on its socket: systemctl --user start switchyard-agent.service"
            )
        }
        if let stranger = sockets.remaining.first {
            throw CommandError(
                "the socket \(stranger), which was inherited, is not this user's agent's",
                hint: "look at ListenStream of the .socket unit, and at XDG_RUNTIME_DIR")
        }
        let agent = Agent(tellingPerson: { problem in
            let notice: DesktopNotice = problem.reason == .locked ? .keyringLocked : .notSaved
            let words = notice.message(in: Language.ofPerson.phrases.desktop)
            _ = await DesktopNotification.show(words.heading, words.text)
        })
        let gateway = try Gateway(
            configuration, on: group, log: log, listeners: listeners, leftOut: loaded.leftOut, agent: agent)
        try runToEnd {
            _ = await gateway.tryStore()
            EventLoop.required.start {
                if await DesktopKeyring.lacksLibrary() { log.tellLibsecretMissing(remedy: KeyringStorage.installation) }
            }
            let notice = LeftOutNotice()
            notice.look(at: loaded.warnings.map(\.description))
            let keeper = ConfigurationKeeper(
                loaded, from: files.path, for: gateway, on: .required,
                read: { files.read(leavesFaultyOut: true, after: $0) }
            ) { report in
                if case .taken(_, _, let warnings) = report { notice.look(at: warnings) }
            }
            _ = try await ServeControl(gateway, keeper, signals, group, on: .required, idle: idle).run()
            // Last try: the obstacle of the previous one may be gone.
            await agent.keepHeldTokens()
        }
    }
}
