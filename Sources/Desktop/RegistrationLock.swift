internal import Glibc

/// The right to change the registration, for one process of this user at a time. Entries and lists are read, changed
/// and written whole, so of two processes side by side the later one would undo the changes of the earlier one.
///
/// The lock ends with its process and leaves no file behind. Other users cannot hold it, because they cannot open the
/// file.
struct RegistrationLock: ~Copyable {
    private let descriptor: Int32
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
        let (descriptor, madeFolders) = try Self.acquire(path, in: folder)
        self.descriptor = descriptor
        self.path = path
        self.folder = folder
        self.madeFolders = madeFolders
    }

    deinit {
        unsafe unlink(path)
        // Explicitly: a program of the desktop that was started in between may have it open.
        flock(descriptor, LOCK_UN)
        close(descriptor)
        GuardedFolder.removeEmpty(folder, madeFolders)
    }

    private static func acquire(
        _ path: String, in folder: String
    ) throws(GuardedFolder.Problem) -> (descriptor: Int32, madeFolders: Int) {
        var madeFolders = 0
        let deadline = ContinuousClock.now.advanced(by: .seconds(patience))
        while true {
            if unsafe mkdir(folder, 0o700) == 0 {
                madeFolders = max(madeFolders, 1)
            } else if errno == ENOENT {
                madeFolders = max(madeFolders, try GuardedFolder.make(folder).made)
            }
            let file = unsafe open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0o600)
            guard file >= 0 else {
                // The last holder has just removed the folder that was made for the lock.
                if errno == ENOENT, ContinuousClock.now < deadline { continue }
                throw GuardedFolder.failure(path, "cannot be opened, which keeps two from registering at once")
            }
            do throws(GuardedFolder.Problem) {
                try hold(file, path, until: deadline)
            } catch {
                close(file)
                throw error
            }
            // If the last holder has removed the file, other processes would lock another file.
            if isStill(file, at: path) { return (file, madeFolders) }
            close(file)
        }
    }

    private static func hold(
        _ file: Int32, _ path: String, until deadline: ContinuousClock.Instant
    ) throws(GuardedFolder.Problem) {
        var status = stat()
        guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_uid == geteuid(),
            status.st_mode & 0o077 == 0
        else { throw GuardedFolder.Problem(description: "\(path) is no file of this user alone; remove it") }
        // Asks repeatedly: flock(2) has no time-out, and the holder may be stopped.
        while flock(file, LOCK_EX | LOCK_NB) != 0 {
            guard errno == EWOULDBLOCK || errno == EINTR else { throw GuardedFolder.failure(path, "cannot be locked") }
            guard ContinuousClock.now < deadline else {
                throw GuardedFolder.Problem(
                    description: "another process that registers has held \(path) for \(patience) seconds; "
                        + "`fuser \(path)` names it: end it, or try again")
            }
            usleep(.random(in: 1000...5000))
        }
    }

    private static func isStill(_ file: Int32, at path: String) -> Bool {
        var (ours, there) = (stat(), stat())
        return unsafe fstat(file, &ours) == 0 && lstat(path, &there) == 0 && ours.st_ino == there.st_ino
            && ours.st_dev == there.st_dev
    }
}
