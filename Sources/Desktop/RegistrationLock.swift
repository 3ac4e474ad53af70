internal import Glibc
internal import SwitchyardFiles

/// The right to change the registration, for one process of this user at a time. Entries and lists are read, changed
/// and written whole, so of two processes side by side the later one would undo the changes of the earlier one.
///
/// The lock ends with its process and leaves no file behind. Other users cannot hold it, because they cannot open the
/// file.
struct RegistrationLock: ~Copyable {
    private let lock: FileLock
    private let path: String
    private let folder: String
    /// The number of folders that were made for the lock: its own and those above it.
    private let madeFolders: Int

    /// The patience in seconds: enough for several other processes with slow desktop programs.
    private static let patience = 30
    private static let name = "switchyard-register.lock"

    /// Waits for it, half a minute at the most.
    /// - Parameter folder: where its file is; made where it is missing.
    init(in folder: String) throws(GuardedFolder.Problem) {
        let path = "\(folder)/\(Self.name)"
        var madeFolders = 0
        lock = try Self.acquire(path, in: folder, &madeFolders)
        self.madeFolders = madeFolders
        self.path = path
        self.folder = folder
    }

    deinit {
        // The lock ends after this.
        FilePath.remove(path)
        GuardedFolder.removeEmpty(folder, madeFolders)
    }

    private static func acquire(
        _ path: String, in folder: String, _ madeFolders: inout Int
    ) throws(GuardedFolder.Problem) -> FileLock {
        let deadline = ContinuousClock.now.advanced(by: .seconds(patience))
        while true {
            if unsafe mkdir(folder, 0o700) == 0 {
                madeFolders = max(madeFolders, 1)
            } else if errno == ENOENT {
                madeFolders = max(madeFolders, try GuardedFolder.make(folder).made)
            }
            let file: OpenFile
            do throws(FileError) {
                file = try OpenFile(path, for: .updating, followsLink: false)
            } catch {
                // The last holder has just removed the folder that was made for the lock.
                if error.isMissing, ContinuousClock.now < deadline { continue }
                throw GuardedFolder.failure(
                    path, "cannot be opened, which keeps two from registering at once", error)
            }
            let lock = try hold(file, path, until: deadline)
            // If the last holder has removed the file, other processes would lock another file.
            if lock.file.isStill(at: path) { return lock }
        }
    }

    private static func hold(
        _ file: consuming OpenFile, _ path: String, until deadline: ContinuousClock.Instant
    ) throws(GuardedFolder.Problem) -> FileLock {
        let own: PrivateFile
        do throws(PrivacyError) {
            own = try PrivateFile(file)
        } catch {
            throw GuardedFolder.Problem(description: "\(path) is no file of this user alone; remove it")
        }
        do throws(LockError) {
            return try own.lock(until: deadline)
        } catch {
            switch error {
            case .failed(let error): throw GuardedFolder.failure(path, "cannot be locked", error)
            case .held:
                throw GuardedFolder.Problem(
                    description: "another process that registers has held \(path) for \(patience) seconds; "
                        + "`fuser \(path)` names it: end it, or try again")
            }
        }
    }
}
