internal import Glibc
internal import SwitchyardConfiguration
internal import SwitchyardDesktop
internal import SwitchyardFiles

/// Reads a configuration for a command.
enum ConfigurationFile {
    /// The default configuration file of all commands.
    static let standardPath = "/etc/switchyard/switchyard.yaml"

    /// The file that `--config` names, else the usual one where it exists.
    static func path(_ options: Options) throws -> String {
        if let path = options["config"] { return path }
        guard FilePath.exists(standardPath) else {
            throw UsageError(message: "--config is missing, and there is no \(standardPath)")
        }
        return standardPath
    }

    /// The configuration of a running gateway or agent, as that reads it. A file named agent.yaml, which may be
    /// missing, is the agent's.
    static func readOfRunning(_ path: String) throws -> LoadOutcome {
        guard AgentConfiguration.isMeant(by: path) else { return seen(path).outcome }
        let folder: AgentFolder?
        do throws(AgentFolder.FolderError) {
            folder = try AgentFolder.find()
        } catch {
            throw CommandError(error.description, hint: error.remedy)
        }
        return try AgentConfiguration(path, in: folder).read(leavesFaultyOut: true)
    }

    /// The configuration for a gateway in this process.
    /// - Parameter earlier: the one in use.
    static func read(_ path: String, after earlier: ConfigurationSource? = nil) -> LoadOutcome {
        // A gateway that restarts serves without the browsers that refuse its certificate, rather than not at all.
        Configuration.load(
            path: path, environment: Environment.all, expiredCertificate: .warning, leavesFaultyOut: true,
            after: earlier, repairsKeyFiles: true)
    }

    /// The configuration as the service would read it: with the variables that systemd gives it, and for root with the rights of
    /// the service's user.
    static func seen(
        _ path: String, expiredCertificate: Diagnostic.Severity = .warning, leavesFaultyOut: Bool = true
    ) -> (outcome: LoadOutcome, user: ServiceUser?) {
        let unit = ServiceUnit(serving: path)
        let environment = unit?.environment(beside: Environment.all) ?? Environment.all
        let load = {
            Configuration.load(
                path: path, environment: environment, expiredCertificate: expiredCertificate,
                leavesFaultyOut: leavesFaultyOut, managedFolders: unit?.runtimeFolders ?? [])
        }
        let outcome = load()
        guard let user = ServiceUser(of: outcome.configuration, unit) else { return (outcome, nil) }
        return (user.look(load), user)
    }
}
