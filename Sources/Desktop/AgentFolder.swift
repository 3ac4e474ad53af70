internal import Glibc
internal import SwitchyardFiles

/// The folders of this user's agent. Only this user can open them: their contents are trusted, and codes are sent
/// there.
///
/// The first holds only the programs' socket, because people give it to their sandboxes. The second stays private: the
/// admin socket tells everything and reloads, and a lock on the lock file keeps an agent from starting.
public struct AgentFolder: Sendable {
    /// The reason why there is no folder to be trusted.
    public struct FolderError: Error, Sendable, CustomStringConvertible {
        public let description: String
        /// The next step for the person.
        public let remedy: String
    }

    /// The folder of the programs' socket.
    public let path: String

    public var socket: String { "\(path)/agent.sock" }
    /// The admin socket, at which the user sees the agent's state.
    public var admin: String { "\(privatePath)/admin.sock" }
    public var lock: String { "\(privatePath)/agent.lock" }
    public var log: String { "\(privatePath)/agent.log" }

    /// The name is as short as the other one, because the path of a socket has at most 107 bytes.
    private var privatePath: String { "\(path.dropLast(Self.name.count))sy-private" }
    private static let name = "switchyard"

    /// The agent's own configuration, `agent.yaml`; nil where this user has no home.
    public static var configuration: String? {
        UserFolders.configuration.map { "\($0)/switchyard/agent.yaml" }
    }

    /// The folder of apps for all users of this machine.
    public static let ofMachine = "/etc/switchyard/agent.d"

    /// Finds the existing folders.
    /// - Returns: nil if there is no agent's folder. The private one may be missing.
    /// - Throws: ``FolderError`` for a folder that another user could have tampered with.
    public static func find() throws(FolderError) -> AgentFolder? {
        guard let path = usualPath, try isThere(path) else { return nil }
        let folder = AgentFolder(path: path)
        _ = try isThere(folder.privatePath)
        return folder
    }

    /// - Throws: ``FolderError`` for a folder that is not this user's alone.
    private static func isThere(_ path: String) throws(FolderError) -> Bool {
        let status: FileStatus
        do throws(FileError) {
            status = try FileStatus(ofLinkAt: path)
        } catch {
            if error.isMissing || error.code == ENOTDIR { return false }
            throw FolderError(
                description: "\(path) cannot be looked at: \(error.reason)",
                remedy: "is XDG_RUNTIME_DIR that of this user?")
        }
        do throws(PrivacyError) {
            try status.checkPrivate(.folder)
        } catch {
            // In a sandbox, this is the mount point of an earlier run of the app; only the sandbox reaches it.
            if Host.isFlatpak { return false }
            throw FolderError(
                description: "\(path) is not a folder that this user alone can open",
                remedy: "if it is yours: chmod 700 \(path); otherwise ask who has made it")
        }
        return true
    }

    /// The same, made where they are missing.
    public static func make() throws(FolderError) -> AgentFolder {
        guard let path = usualPath, let parent = path.lastIndex(of: "/").map({ String(path[..<$0]) }) else {
            throw FolderError(
                description: "there is no folder for the agent's socket: neither XDG_RUNTIME_DIR nor HOME is set",
                remedy: "export XDG_RUNTIME_DIR, a folder of this user's with mode 0700")
        }
        // Only ~/.cache can be missing.
        for folder in [parent, path, AgentFolder(path: path).privatePath] {
            if unsafe mkdir(folder, 0o700) != 0, errno != EEXIST { throw failure(folder) }
        }
        guard let folder = try find() else { throw failure(path) }
        return folder
    }

    private static var usualPath: String? { UserFolders.runtime.map { "\($0)/\(name)" } }

    private static func failure(_ path: String) -> FolderError {
        FolderError(
            description: "\(path) cannot be made: \(unsafe String(cString: strerror(errno)))",
            remedy: "export XDG_RUNTIME_DIR, a folder of this user's with mode 0700")
    }
}
