internal import Glibc

/// The check that a file or directory is this user's alone.
enum Privacy {
    /// Throws `denied`, with the reason and the remedy, when another user owns it or the mode allows others anything.
    /// - Parameter allowed: the mode that the remedy names, 0600 or 0700.
    static func check(_ status: stat, _ path: String, allowed: mode_t) throws(TokenStorageError) {
        guard status.st_uid == geteuid() else {
            throw TokenStorageError(
                .denied, "\(path) belongs to user \(status.st_uid), and this process runs as user \(geteuid())",
                remedy: "remove it, or name another directory")
        }
        guard status.st_mode & 0o077 == 0 else {
            let mode = String(status.st_mode & 0o777, radix: 8)
            throw TokenStorageError(
                .denied, "\(path) has mode \(mode): others on this machine have access",
                remedy: "find out who could read it, then `chmod \(String(allowed, radix: 8)) \(path)`")
        }
    }
}
