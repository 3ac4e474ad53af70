internal import Glibc

/// A lock on a whole file (F_SETLK of fcntl(2)). The kernel names its holder, and takes it back when the process ends or
/// closes any descriptor of the file.
public enum RecordLock {
    /// Another process's lock.
    public struct Holder: Equatable, Sendable {
        public let process: Int32
        /// Whether the lock is a shared one, which keeps writers out and other readers in.
        public let isShared: Bool
    }

    /// Takes the lock for writing, without waiting.
    /// - Returns: whether this process has it now.
    public static func take(_ file: borrowing OpenFile) -> Bool {
        var lock = whole
        return unsafe fcntl(file.descriptor, F_SETLK, &lock) == 0
    }

    /// The process that keeps this one from the lock; nil if there is none.
    public static func holder(of file: borrowing OpenFile) -> Holder? {
        var lock = whole
        guard unsafe fcntl(file.descriptor, F_GETLK, &lock) == 0, lock.l_type != Int16(F_UNLCK) else { return nil }
        return Holder(process: lock.l_pid, isShared: lock.l_type == Int16(F_RDLCK))
    }

    private static var whole: flock {
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        return lock
    }
}
