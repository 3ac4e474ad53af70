internal import Glibc

/// The folder of this user's agent: its socket, its lock and its log. Nobody but this user can be in it: what stands
/// there is believed, and codes are sent there.
public struct AgentFolder: Sendable {
    /// Why there is none to be trusted.
    public struct Problem: Error, Sendable, CustomStringConvertible {
        public let description: String
        /// What can be done about it.
        public let remedy: String
    }

    public let path: String

    public var socket: String { "\(path)/agent.sock" }
    /// Where its user sees how it is.
    public var admin: String { "\(path)/admin.sock" }
    public var lock: String { "\(path)/agent.lock" }
    public var log: String { "\(path)/agent.log" }

    /// The agent's own configuration, `agent.yaml`; nil where this user has no home.
    public static var configuration: String? {
        UserFolders.configuration.map { "\($0)/switchyard/agent.yaml" }
    }

    /// Where apps of everybody on this machine stand.
    public static let ofMachine = "/etc/switchyard/agent.d"

    /// The folder as it is.
    /// - Returns: nil where there is none.
    /// - Throws: ``Problem`` for one that somebody else could have a hand in.
    public static func find() throws(Problem) -> AgentFolder? {
        guard let path = place else { return nil }
        var status = stat()
        guard unsafe lstat(path, &status) == 0 else {
            if errno == ENOENT || errno == ENOTDIR { return nil }
            throw Problem(
                description: "\(path) cannot be looked at: \(unsafe String(cString: strerror(errno)))",
                remedy: "is XDG_RUNTIME_DIR that of this user?")
        }
        guard status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid(), status.st_mode & 0o077 == 0 else {
            // The place in a sandbox where the agent's folder was shown to an earlier run of the app; nobody else gets there.
            if Host.isFlatpak { return nil }
            throw Problem(
                description: "\(path) is not a folder that this user alone can open",
                remedy: "if it is yours: chmod 700 \(path); otherwise ask who has made it")
        }
        return AgentFolder(path: path)
    }

    /// The same, made where it is missing.
    public static func make() throws(Problem) -> AgentFolder {
        guard let path = place, let parent = path.lastIndex(of: "/").map({ String(path[..<$0]) }) else {
            throw Problem(
                description: "there is no folder for the agent's socket: neither XDG_RUNTIME_DIR nor HOME is set",
                remedy: "export XDG_RUNTIME_DIR, a folder of this user's with mode 0700")
        }
        // Only ~/.cache can be missing.
        if unsafe mkdir(parent, 0o700) != 0, errno != EEXIST { throw failure(parent) }
        if unsafe mkdir(path, 0o700) != 0, errno != EEXIST { throw failure(path) }
        guard let folder = try find() else { throw failure(path) }
        return folder
    }

    private static var place: String? { UserFolders.runtime.map { "\($0)/switchyard" } }

    private static func failure(_ path: String) -> Problem {
        Problem(
            description: "\(path) cannot be made: \(unsafe String(cString: strerror(errno)))",
            remedy: "export XDG_RUNTIME_DIR, a folder of this user's with mode 0700")
    }
}
