internal import Glibc
internal import SwitchyardPendingRequests
internal import SwitchyardReactor

/// Notices when a file is deleted, moved or replaced while the store uses it. Otherwise SQLite would keep writing into
/// a file without a name, and its changes would end with the process.
///
/// Closing any descriptor of a database ends the process's locks on it, so the one of a database lives as long as the
/// store. Belongs to the writer's thread.
final class FilePin {
    /// The interval at which a file's place is checked: a moved folder or a changed link does not show in the file
    /// itself. For a log, a move shows only here too.
    private static let interval = Duration.seconds(1)

    private let file: StoreFile
    /// Keeps the kernel from giving the file's number to another.
    private let descriptor: Int32
    private let device: dev_t
    private let number: ino_t
    private let isLog: Bool
    /// Until when the name need not be looked up, unless the file was touched since it last was.
    private var rest = Instant(nanoseconds: 0)
    private var touched = timespec()

    /// - Parameters:
    ///   - path: of a file that is there.
    ///   - isLog: whether each transaction writes to it.
    init(_ path: String, isLog: Bool = false) throws(StoreFailure) {
        self.isLog = isLog
        file = StoreFile(path: path)
        var status = stat()
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        // Before anything else changes `errno`.
        let obstacle = descriptor < 0 ? file.failure("cannot be opened") : nil
        let code = unsafe fstat(descriptor, &status)
        (device, number) = (status.st_dev, status.st_ino)
        if let obstacle { throw obstacle }
        guard code == 0 else { throw file.failure("cannot be looked at") }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Takes the file for this process, for the life of this object. The lock beside it names its holder, but can be
    /// deleted.
    func lock() throws(StoreFailure) {
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw errno == EWOULDBLOCK
                ? StoreFailure("\(file.path): another gateway uses it") : file.failure("cannot be locked")
        }
    }

    /// Whether the name still means the file.
    ///
    /// The name is not looked up for each transaction. The file itself says whether it has lost a name, and when it was
    /// last written or renamed. A log says neither.
    /// - Parameter mustLook: true for a caller that is about to open the file by its name.
    func check(mustLook: Bool = false) throws(StoreFailure) {
        var status = stat()
        let now = Instant.now()
        let isThere = unsafe fstat(descriptor, &status) == 0 && status.st_nlink > 0
        let change = status.st_ctim
        let isTouched = !isLog && (change.tv_sec != touched.tv_sec || change.tv_nsec != touched.tv_nsec)
        if isThere, now < rest, !isTouched, !mustLook { return }
        try look()
        (rest, touched) = (now + Self.interval, change)
    }

    private func look() throws(StoreFailure) {
        var status = stat()
        guard unsafe stat(file.path, &status) == 0 else {
            guard errno == ENOENT else { throw file.failure("cannot be looked at") }
            throw StoreFailure("\(file.path): it was deleted or moved away while it was in use; put it back")
        }
        guard status.st_dev == device, status.st_ino == number else {
            throw StoreFailure(
                "\(file.path): another file stands in its place; put the former one back, or restart the gateway"
            )
        }
    }
}
