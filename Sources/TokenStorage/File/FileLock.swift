internal import Glibc

/// The right to change a document, which one thread of one process has at a time. It ends with its process, however
/// that ends. The file of the lock is never removed, because waiting processes hold it open.
struct FileLock: ~Copyable {
    private let file: OpenFile

    /// Waits for the right to change the document of `cache`. Errors: `locked` if it does not come within `timeout`.
    ///
    /// A second lock, the turn, keeps the order fair. The next waiting process holds the turn until it has the lock. So
    /// a process that changes the document again and again cannot starve it.
    static func inTurn(
        _ cache: CacheName, in directory: borrowing PrivateDirectory, timeout: Duration
    ) throws(TokenStorageError) -> FileLock {
        let deadline = ContinuousClock.now.advanced(by: timeout)
        let turn = try FileLock(cache.turn, in: directory, until: deadline, timeout)
        let lock = try FileLock(cache.lock, in: directory, until: deadline, timeout)
        _ = consume turn
        return lock
    }

    private init(
        _ name: String, in directory: borrowing PrivateDirectory, until deadline: ContinuousClock.Instant,
        _ timeout: Duration
    ) throws(TokenStorageError) {
        let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC
        let descriptor = unsafe openat(directory.file.descriptor, name, flags, 0o600)
        guard descriptor >= 0 else { throw directory.opening(.last, name) }
        let file = OpenFile(descriptor: descriptor)
        try directory.checkPrivate(file, name)
        // Asked again and again, because a blocking flock(2) knows no time-out, and a stopped process
        // may hold it for ever.
        while flock(descriptor, LOCK_EX | LOCK_NB) != 0 {
            let failure = SystemFailure.last
            guard failure.number == EWOULDBLOCK || failure.number == EINTR else {
                throw failure.error("lock", directory.path(of: name))
            }
            guard ContinuousClock.now < deadline else {
                throw TokenStorageError(
                    .locked, "others have held \(directory.path(of: name)) for \(timeout)",
                    remedy: "try again; `fuser` names the process")
            }
            // A random time, so waiting processes do not keep step.
            usleep(.random(in: 200...2000))
        }
        self.file = file
    }

    deinit {
        // Explicitly: a child that was forked in between has the same open file, and would keep the lock.
        flock(file.descriptor, LOCK_UN)
    }
}
