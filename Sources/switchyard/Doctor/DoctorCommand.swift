internal import SwitchyardConfiguration
internal import SwitchyardHTTPClient
internal import SwitchyardJSON
internal import SwitchyardReactor

/// `switchyard doctor`: finds faults before a user does.
struct DoctorCommand: Command {
    static let name = "doctor"
    static let summary = "find what is wrong before a user does"
    static let options: [Option] =
        AdminConnection.options + [
            .flag(
                "desktop", "look at this person's desktop instead of a gateway (so it does where there is no gateway)"),
            .flag("json", "for programs"),
            .flag(
                "fix",
                """
                repair what is safe and ours: who may read keys and the database, a missing folder for it; on a desktop, \
                schemes that nobody has
                """),
            .flag("slow", "also find out whether a proxy in front cuts a long wait short; takes a minute"),
        ]
    static let help = Help(
        """
        Looks at everything that a sign-in takes, as it is now: the configuration and its files, certificates as browsers \
        judge them, the issuers, whether browsers reach this gateway by each host of its redirect URIs and what it sees of \
        them, the store, this machine. Says of each fault what it is, why it matters and what to do. Changes nothing \
        without `--fix`.
        """,
        """
        Where there is no gateway, and with `--desktop`, it looks at the person's desktop: the agent and its files, which \
        program has the schemes of its apps, xdg-open, the screen, the sandbox, the keyring, notifications.
        """,
        """
        Whether browsers reach the gateway is asked of the one that runs: so run it once before and once after the start. \
        The authority of `--ca` also counts for the hosts of redirect URIs, where browsers believe one of your own.
        """,
        exits: [
            .done: "sign-ins should work; there may be warnings", .failed: "a sign-in would fail",
            .usage: "wrong usage, or a configuration that cannot be used",
        ],
        examples: ["switchyard doctor --config /etc/switchyard/switchyard.yaml", "switchyard doctor --desktop --fix"])

    private let path: String
    private let admin: String?
    private let trustAnchor: String?
    private let looksAtDesktop: Bool
    private let isJSON: Bool
    private let repairs: Bool
    private let isSlow: Bool

    init(_ options: Options) throws {
        path = options["config"] ?? ConfigurationFile.standardPath
        admin = options["admin"]
        trustAnchor = options["ca"] ?? Environment.setting("SWITCHYARD_CA")
        let hasGateway = options["config"] != nil || options["admin"] != nil || TextFile.text(path) != nil
        looksAtDesktop = options.has("desktop") || !hasGateway || AgentConfiguration.isMeant(by: path)
        isJSON = options.has("json")
        repairs = options.has("fix")
        isSlow = options.has("slow")
        if let trustAnchor, TextFile.text(trustAnchor) == nil {
            throw UsageError(message: "--ca \(trustAnchor) cannot be read")
        }
    }

    func run() throws -> ExitStatus {
        guard !looksAtDesktop else { return try show(desktopReport()) }
        let loaded: LoadedConfiguration
        var (outcome, user) = ConfigurationFile.seen(path)
        var done: [String] = []
        if repairs, case .refused(_, let source?) = outcome {
            // A readable key file refuses the configuration, and this repairs it.
            done = FileCheck(configuration: nil, secretFiles: source.secretFiles, user: user).repair()
            if !done.isEmpty { (outcome, user) = ConfigurationFile.seen(path) }
        }
        switch outcome {
        case .usable(let usable): loaded = usable
        case .refused(let diagnostics, _):
            for repair in done { Terminal.note(repair) }
            Terminal.note(diagnostics)
            Terminal.error(
                "the configuration cannot be used",
                hint: "mend what is said above; `switchyard check` looks at it alone")
            return .usage
        }
        let (configuration, secretFiles) = (loaded.configuration, loaded.source.secretFiles)
        let own = ConfigurationCheck(path: path, configuration: configuration, warned: loaded.warnings)
        let files = FileCheck(configuration: configuration, secretFiles: secretFiles, user: user)
        if repairs { done += files.repair() }
        var findings = own.findings + files.findings
        findings += CertificateCheck(configuration: configuration, trustAnchor: trustAnchor).findings
        findings += try networkFindings(configuration, secretFiles, loaded.leftOut)
        return show(DoctorReport(path: path, findings: findings, repairs: done))
    }

    private func desktopReport() throws -> DoctorReport {
        let files = try AgentConfiguration(AgentConfiguration.isMeant(by: path) ? path : nil, in: nil)
        let outcome = files.read(leavesFaultyOut: true)
        let done = repairs ? SchemeCheck(outcome).repair() : []
        return DoctorReport(
            path: files.path, findings: DesktopCheck(outcome: outcome, path: files.path).findings(), repairs: done)
    }

    private func show(_ report: DoctorReport) -> ExitStatus {
        if isJSON {
            Terminal.say(report.json)
        } else {
            Terminal.say(styled: report.text(.standardOutput))
        }
        return report.status
    }

    /// All at the same time, each with a time of its own.
    private func networkFindings(
        _ configuration: Configuration, _ secretFiles: Set<String>, _ leftOut: [LeftOutFile]
    ) throws -> [Finding] {
        let issuers = IssuerCheck(configuration: configuration)
        Terminal.note("asking \(issuers.summary) and the gateway …")
        let running: Result<AdminConnection, CommandError>
        do {
            let address = try admin ?? AdminConnection.address(in: configuration, path)
            running = .success(try AdminConnection(address, trustAnchor: trustAnchor))
        } catch let failure as CommandError {
            running = .failure(failure)
        }
        let doors = PublicOriginCheck(
            configuration: configuration, gateway: running, trustAnchor: trustAnchor, isSlow: isSlow)
        let documents = ClientDocumentCheck(configuration: configuration, trustAnchor: trustAnchor)
        let store = StoreCheck(configuration: configuration, gateway: running, secretFiles: secretFiles)
        let machine = MachineCheck(configuration: configuration, gateway: running)
        let state = RunningCheck(path: path, gateway: running, leftOut: leftOut)
        return try runToEnd {
            let client = HTTPClient(loop: .required)
            return await withTaskGroup(of: [Finding].self) { group in
                group.addTask { await issuers.findings(with: client) }
                group.addTask { await doors.findings(with: client) }
                group.addTask { await documents.findings(with: client) }
                group.addTask { await store.findings(with: client) }
                group.addTask { await machine.findings(with: client) }
                group.addTask { await state.findings(with: client) }
                var all: [Finding] = []
                for await findings in group { all += findings }
                return all
            }
        }
    }
}
