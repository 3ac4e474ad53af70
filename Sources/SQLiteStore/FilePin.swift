internal import SwitchyardFiles
internal import SwitchyardPendingRequests
internal import SwitchyardReactor

/// Notices when a file is deleted, moved or replaced while the store uses it. Otherwise SQLite would keep writing into
/// a file without a name, and its changes would end with the process.
///
/// Closing any descriptor of a database ends the process's locks on it, so the pin of the database lives as long as the store. That
/// of its log goes with the connection. Belongs to the writer's thread.
final class FilePin {
    /// The interval at which a file's place is checked: a moved folder or a changed link does not show in the file
    /// itself. For a log, a move shows only here too.
    private static let interval = Duration.seconds(1)

    private let file: StoreFile
    /// The open file. While it is open, the kernel gives its number to no other file.
    private let pinned: OpenFile
    private let identity: FileStatus.Identity
    private let isLog: Bool
    /// The time until which the name is not looked up again, unless the file changes before.
    private var rest = Instant(nanoseconds: 0)
    /// The time of the file's last change at the last look.
    private var touched: FileStatus.Time?

    /// - Parameters:
    ///   - path: the path of an existing file.
    ///   - isLog: whether each transaction writes to it.
    init(_ path: String, isLog: Bool = false) throws(StoreError) {
        self.isLog = isLog
        file = StoreFile(path: path)
        do throws(FileError) {
            pinned = try OpenFile(path, for: .reading)
        } catch {
            throw file.failure("cannot be opened", error)
        }
        do throws(FileError) {
            identity = try pinned.status().identity
        } catch {
            throw file.failure("cannot be looked at", error)
        }
    }

    deinit { pinned.unlock() }

    /// Locks the file for this process, for the life of this object. The lock file beside it names its owner, but can be
    /// deleted.
    func lock() throws(StoreError) {
        do throws(LockError) {
            try pinned.lock()
        } catch {
            switch error {
            case .held: throw StoreError("\(file.path): another gateway uses it")
            case .failed(let error): throw file.failure("cannot be locked", error)
            }
        }
    }

    /// Throws if the file is no longer found by its name.
    ///
    /// The name is not looked up for each transaction. The file itself says whether it has lost a name, and when it was
    /// last written or renamed. A log says neither.
    /// - Parameter mustLook: true for a caller that is about to open the file by its name.
    func check(mustLook: Bool = false) throws(StoreError) {
        let now = Instant.now()
        let status = try? pinned.status()
        let isTouched = !isLog && status?.changed != touched
        if let status, status.names > 0, now < rest, !isTouched, !mustLook { return }
        try look()
        (rest, touched) = (now + Self.interval, status?.changed)
    }

    private func look() throws(StoreError) {
        let status: FileStatus
        do throws(FileError) {
            status = try FileStatus(at: file.path)
        } catch {
            guard error.isMissing else { throw file.failure("cannot be looked at", error) }
            throw StoreError("\(file.path): it was deleted or moved away while it was in use; put it back")
        }
        guard status.identity == identity else {
            throw StoreError(
                "\(file.path): another file stands in its place; put the former one back, or restart the gateway"
            )
        }
    }
}
