internal import SwitchyardConfiguration
internal import SwitchyardDesktop

/// The paths of an agent's configuration.
struct AgentConfiguration {
    let path: String
    /// nil if no socket is needed.
    let folder: AgentFolder?

    /// - Parameter path: of its own file; nil for the one in this user's configuration folder.
    init(_ path: String?, in folder: AgentFolder?) throws {
        guard let path = path ?? AgentFolder.configuration else {
            throw CommandError(
                "there is no folder for the agent's configuration: neither XDG_CONFIG_HOME nor HOME is set",
                hint: "name a file: --config FILE", status: .usage)
        }
        self.path = path
        self.folder = folder
    }

    /// Whether a path is that of an agent's own file, which commands for any gateway may be given, too.
    static func isMeant(by path: String) -> Bool { path == "agent.yaml" || path.hasSuffix("/agent.yaml") }

    /// - Parameter leavesFaultyOut: whether the other apps go on without those of a faulty file.
    func read(leavesFaultyOut: Bool, after earlier: ConfigurationSource? = nil) -> LoadOutcome {
        let directory = path.lastIndex(of: "/").map { String(path[..<$0]) } ?? "."
        return Configuration.load(
            agent: path,
            places: AgentPlaces(
                socket: folder?.socket ?? "agent.sock", admin: folder?.admin ?? "admin.sock",
                folders: [AgentFolder.ofMachine, "\(directory)/apps.d"]),
            environment: Environment.all, leavesFaultyOut: leavesFaultyOut, after: earlier)
    }
}
