internal import Glibc

/// Prevents a second agent of the same user for the life of this process. The kernel releases the lock when the process
/// ends in any way, and names its holder.
///
/// Why `@unchecked Sendable`: it is immutable.
final class AgentLock: @unchecked Sendable {
    private let descriptor: Int32

    /// - Throws: ``CommandError`` that names the process which has it.
    init(_ path: String) throws {
        for _ in 0..<Self.tries {
            let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else {
                throw CommandError("\(path) cannot be opened: \(unsafe String(cString: strerror(errno)))")
            }
            var wish = Self.whole
            if unsafe fcntl(descriptor, F_SETLK, &wish) == 0 {
                // Another process may have replaced the file in between.
                if Self.isSame(path, descriptor) {
                    self.descriptor = descriptor
                    return
                }
                close(descriptor)
                continue
            }
            defer { close(descriptor) }
            var holder = Self.whole
            _ = unsafe fcntl(descriptor, F_GETLK, &holder)
            if holder.l_type == Int16(F_WRLCK) {
                throw CommandError(
                    "an agent of this user runs already as process \(holder.l_pid)",
                    hint: "`switchyard open` and the apps use that one")
            }
            // An agent locks for writing. A shared lock is another program's, and must keep no agent from starting.
            if holder.l_type == Int16(F_RDLCK), Self.isSame(path, descriptor) { unsafe unlink(path) }
        }
        throw CommandError("\(path) cannot be locked: other programs take it again and again")
    }

    private static let tries = 8

    private static func isSame(_ path: String, _ descriptor: Int32) -> Bool {
        var (named, opened) = (stat(), stat())
        return unsafe lstat(path, &named) == 0 && fstat(descriptor, &opened) == 0
            && named.st_dev == opened.st_dev && named.st_ino == opened.st_ino
    }

    deinit { close(descriptor) }

    private static var whole: flock {
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        return lock
    }
}
