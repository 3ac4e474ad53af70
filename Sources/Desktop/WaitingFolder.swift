internal import Glibc
internal import SwitchyardFiles

/// The folder in which this user's processes that wait for a sign-in have their sockets. `switchyard release` finds them there.
///
/// Only this user can open it. So each socket in it is this user's, and a code that is sent there reaches no other user.
public struct WaitingFolder: Sendable {
    public let path: String
    private let folder: Folder

    private static let name = "sy-waiting"
    /// `sun_path` with its end (unix(7)).
    private static let longestSocket = 107

    /// The path by which this process reaches a socket in the folder, for as long as this value lives. A long path, as of some homes,
    /// has no room in a socket's address, so the open folder stands for it.
    public func socket(_ name: String) -> String {
        let usual = "\(path)/\(name)"
        return usual.utf8.count <= Self.longestSocket ? usual : "/proc/self/fd/\(folder.descriptor)/\(name)"
    }

    /// Finds the existing folder.
    /// - Returns: nil if no process has waited yet.
    /// - Throws: ``AgentFolder/FolderError`` for a folder that another user could have tampered with.
    public static func find() throws(AgentFolder.FolderError) -> WaitingFolder? {
        guard let path = UserFolders.runtime.map({ "\($0)/\(name)" }) else { return nil }
        return try check(path, isRequired: false) ? WaitingFolder(path) : nil
    }

    /// The same, made where it is missing.
    public static func make() throws(AgentFolder.FolderError) -> WaitingFolder {
        guard let runtime = UserFolders.runtime else {
            throw AgentFolder.FolderError(
                description: "waiting sign-ins have no folder for sockets: neither XDG_RUNTIME_DIR nor HOME is set",
                remedy: "export XDG_RUNTIME_DIR, a folder of this user's with mode 0700")
        }
        let path = "\(runtime)/\(name)"
        // Only ~/.cache can be missing.
        for folder in [runtime, path] { unsafe mkdir(folder, 0o700) }
        _ = try check(path, isRequired: true)
        return try WaitingFolder(path)
    }

    private init(_ path: String) throws(AgentFolder.FolderError) {
        do throws(FileError) {
            folder = try Folder(path, followsLink: false)
        } catch {
            throw AgentFolder.FolderError(
                description: "\(path) cannot be opened: \(error.reason)",
                remedy: "export XDG_RUNTIME_DIR, a folder of this user's with mode 0700")
        }
        self.path = path
    }

    private static func check(_ path: String, isRequired: Bool) throws(AgentFolder.FolderError) -> Bool {
        let status: FileStatus
        do throws(FileError) {
            status = try FileStatus(ofLinkAt: path)
        } catch {
            if error.isMissing, !isRequired { return false }
            throw AgentFolder.FolderError(
                description: "\(path) cannot be opened: \(error.reason)",
                remedy: "export XDG_RUNTIME_DIR, a folder of this user's with mode 0700")
        }
        do throws(PrivacyError) {
            try status.checkPrivate(.folder)
            return true
        } catch {
            throw AgentFolder.FolderError(
                description: "\(path) is not a folder that this user alone can open",
                remedy: "if it is yours: chmod 700 \(path); otherwise ask who has made it")
        }
    }
}
