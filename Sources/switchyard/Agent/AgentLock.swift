internal import Glibc

/// Keeps a second agent of the same user from starting, for as long as this process lives. The kernel gives the lock back
/// with the process, however that ends, and says who has it.
///
/// Why `@unchecked Sendable`: nothing of it changes.
final class AgentLock: @unchecked Sendable {
    private let descriptor: Int32

    /// - Throws: ``CommandFailure`` that names the process which has it.
    init(_ path: String) throws {
        let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw CommandFailure("\(path) cannot be opened: \(unsafe String(cString: strerror(errno)))")
        }
        var wish = Self.whole
        guard unsafe fcntl(descriptor, F_SETLK, &wish) == 0 else {
            var holder = Self.whole
            _ = unsafe fcntl(descriptor, F_GETLK, &holder)
            close(descriptor)
            let who = holder.l_pid > 0 ? " as process \(holder.l_pid)" : ""
            throw CommandFailure(
                "an agent of this user runs already\(who)", hint: "`switchyard open` and the apps use that one")
        }
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    private static var whole: flock {
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        return lock
    }
}
