internal import Glibc

extension PrivateDirectory {
    /// The bytes of a file of this user alone; nil if it is missing.
    ///
    /// Errors: `denied` for symbolic links, special files, other owners and open modes; `tooLarge`; `io`.
    func read(_ name: String, maximum: Int) throws(TokenStorageError) -> [UInt8]? {
        // Not blocking, so a named pipe instead of a file is refused at once.
        let descriptor = unsafe openat(file.descriptor, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else {
            let failure = SystemFailure.last
            if failure.number == ENOENT { return nil }
            throw opening(failure, name)
        }
        let file = OpenFile(descriptor: descriptor)
        try checkPrivate(file, name)
        do throws(SystemFailure) {
            if let bytes = try file.readAll(maximum: maximum) { return bytes }
        } catch {
            throw error.error("read", path(of: name))
        }
        throw TokenStorageError(
            .tooLarge, "\(path(of: name)) is larger than any document of tokens",
            remedy: "see who wrote it, and remove it")
    }

    /// Replaces the file `name` by `bytes`, atomically: readers, also after a crash, see the old one or the new one.
    /// The caller holds the lock, because all writers share the name `unfinished`.
    func replace(_ name: String, with bytes: [UInt8], by unfinished: String) throws(TokenStorageError) {
        // Left by a process that was killed.
        unsafe unlinkat(file.descriptor, unfinished, 0)
        let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
        let descriptor = unsafe openat(file.descriptor, unfinished, flags, 0o600)
        guard descriptor >= 0 else { throw SystemFailure.last.error("create", path(of: unfinished)) }
        let new = OpenFile(descriptor: descriptor)
        do throws(SystemFailure) {
            // Whatever the umask: without the owner's bits the next read would fail.
            guard fchmod(descriptor, 0o600) == 0 else { throw SystemFailure.last }
            try new.writeAll(bytes)
            guard fsync(descriptor) == 0,
                unsafe renameat(file.descriptor, unfinished, file.descriptor, name) == 0
            else { throw SystemFailure.last }
        } catch {
            unsafe unlinkat(file.descriptor, unfinished, 0)
            throw error.error("write", path(of: name))
        }
        try makeDurable()
    }

    /// Removes a file, if there is one.
    func remove(_ name: String) throws(TokenStorageError) {
        guard unsafe unlinkat(file.descriptor, name, 0) == 0 || errno == ENOENT else {
            throw SystemFailure.last.error("remove", path(of: name))
        }
        try makeDurable()
    }

    /// Gives a file an unused name. The caller holds the lock.
    func rename(_ name: String, to other: String) throws(TokenStorageError) {
        guard identity(of: other) == nil else { throw SystemFailure(number: EEXIST).error("set aside", path(of: name)) }
        guard unsafe renameat(file.descriptor, name, file.descriptor, other) == 0 else {
            throw SystemFailure.last.error("set aside", path(of: name))
        }
        try makeDurable()
    }

    /// The identity of the file under a name, even an unopenable one; nil if it is missing.
    func identity(of name: String) -> FileIdentity? {
        var status = stat()
        return unsafe fstatat(file.descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 ? FileIdentity(status) : nil
    }

    func checkPrivate(_ open: borrowing OpenFile, _ name: String) throws(TokenStorageError) {
        guard let status = open.status() else { throw SystemFailure.last.error("look at", path(of: name)) }
        guard status.st_mode & S_IFMT == S_IFREG else {
            throw TokenStorageError(
                .denied, "\(path(of: name)) is no regular file", remedy: "see who put it there, and remove it")
        }
        try Privacy.check(status, path(of: name), allowed: 0o600)
    }

    func opening(_ failure: SystemFailure, _ name: String) -> TokenStorageError {
        guard failure.number == ELOOP else { return failure.error("open", path(of: name)) }
        return TokenStorageError(
            .denied, "\(path(of: name)) is a symbolic link", remedy: "see who put it there, and remove it")
    }

    /// A new name is on the disk only once its directory is.
    private func makeDurable() throws(TokenStorageError) {
        // Some file systems cannot sync a directory, and answer EINVAL.
        guard fsync(file.descriptor) == 0 || errno == EINVAL else { throw SystemFailure.last.error("sync", path) }
    }
}

/// Tells whether a name still means the same, unchanged file. Each write makes a new file, and so a new identity.
struct FileIdentity: Equatable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    private let changedSeconds: Int
    private let changedNanoseconds: Int

    init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        changedSeconds = status.st_ctim.tv_sec
        changedNanoseconds = status.st_ctim.tv_nsec
    }
}
