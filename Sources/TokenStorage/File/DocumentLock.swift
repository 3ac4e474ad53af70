internal import Glibc
internal import SwitchyardFiles

/// The right to change a document, which one thread of one process has at a time. It ends with its process, however
/// that ends. The file of the lock is never removed, because waiting processes hold it open.
struct DocumentLock: ~Copyable {
    private let lock: FileLock

    /// Waits for the right to change the document of `cache`. Errors: `locked` if it does not come within `timeout`.
    ///
    /// A second lock, the turn, keeps the order fair. The next waiting process holds the turn until it has the lock. So
    /// a process that changes the document again and again cannot starve it.
    init(inTurn cache: CacheName, in directory: PrivateDirectory, timeout: Duration) throws(TokenStorageError) {
        let deadline = ContinuousClock.now.advanced(by: timeout)
        let turn = try Self.take(cache.turn, in: directory, until: deadline, timeout)
        lock = try Self.take(cache.lock, in: directory, until: deadline, timeout)
        _ = consume turn
    }

    private static func take(
        _ name: String, in directory: PrivateDirectory, until deadline: ContinuousClock.Instant, _ timeout: Duration
    ) throws(TokenStorageError) -> FileLock {
        guard let file = try directory.open(name, for: .updating) else {
            throw FileError.system(ENOENT).error("open", directory.path(of: name))
        }
        do throws(LockError) {
            return try file.lock(until: deadline)
        } catch {
            switch error {
            case .failed(let error): throw error.error("lock", directory.path(of: name))
            case .held:
                throw TokenStorageError(
                    .locked, "others have held \(directory.path(of: name)) for \(timeout)",
                    remedy: "try again; `fuser` names the process")
            }
        }
    }
}
