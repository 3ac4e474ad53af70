internal import Glibc

/// A directory that only this user may open. Files are named relative to its open descriptor, so it cannot be replaced
/// between two calls.
struct PrivateDirectory: ~Copyable {
    let path: String
    let file: OpenFile

    /// The directory; nil if it is missing.
    ///
    /// Errors: `denied` if it is a symbolic link, another user's, or open to others.
    static func open(_ path: String) throws(TokenStorageError) -> PrivateDirectory? {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard descriptor >= 0 else {
            let failure = SystemFailure.last
            if failure.number == ENOENT { return nil }
            // A symbolic link gives either of the two.
            guard failure.number != ENOTDIR, failure.number != ELOOP else {
                try checkPossible(path)
                throw TokenStorageError(
                    .denied, "\(path) is no directory, or a symbolic link",
                    remedy: "remove it, or name another directory")
            }
            throw failure.error("open", path)
        }
        let directory = PrivateDirectory(path: path, file: OpenFile(descriptor: descriptor))
        guard let status = directory.file.status() else { throw SystemFailure.last.error("look at", path) }
        try Privacy.check(status, path, allowed: 0o700)
        return directory
    }

    /// The directory; missing ones, also those above it, are made with mode 0700.
    static func make(_ path: String) throws(TokenStorageError) -> PrivateDirectory {
        if let directory = try open(path) { return directory }
        var made = ""
        for component in path.split(separator: "/") {
            made += "/" + component
            guard unsafe mkdir(made, 0o700) != 0, errno != EEXIST else { continue }
            let failure = SystemFailure.last
            // A directory above may be there and refuse all the same, such as one that is read-only.
            guard unsafe access(made, F_OK) == 0 else { throw failure.error("make the directory", made) }
        }
        guard let directory = try open(path) else {
            throw SystemFailure(number: ENOENT).error("open", path)
        }
        return directory
    }

    /// Throws what would keep a directory from being made: something else in the place of one above it, or no right to
    /// write there.
    static func checkPossible(_ path: String) throws(TokenStorageError) {
        var above = path[...]
        while let slash = above.lastIndex(of: "/"), slash > above.startIndex {
            above = above[..<slash]
            let parent = String(above)
            var status = stat()
            guard unsafe stat(parent, &status) == 0 else {
                if errno == ENOENT || errno == ENOTDIR { continue }
                throw SystemFailure.last.error("look at", parent)
            }
            guard status.st_mode & S_IFMT == S_IFDIR else {
                throw TokenStorageError(
                    .denied, "\(parent) is no directory, and \(path) cannot be made below it",
                    remedy: "move it away, or name another directory")
            }
            guard unsafe access(path, F_OK) == 0 || access(parent, W_OK | X_OK) == 0 else {
                throw SystemFailure.last.error("make a directory in", parent)
            }
            return
        }
    }

    /// The path of a file in it, for messages.
    func path(of name: String) -> String { "\(path)/\(name)" }
}

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
