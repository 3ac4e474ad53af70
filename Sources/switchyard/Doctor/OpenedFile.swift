internal import Glibc

/// A file or a folder that is held open while it is inspected and changed, so it cannot be exchanged in between.
///
/// On the way to it, a link is followed only if just root or this process's user can have made it. The gateway's user
/// owns the folder of the database, and must not be able to lead root to another user's file.
final class OpenedFile {
    struct Failure: Error {
        let text: String

        init(_ text: String) { self.text = text }

        static var fromErrno: Failure { Failure(unsafe String(cString: strerror(errno))) }
    }

    /// O_PATH of fcntl.h, which Swift does not see: opened to be named, not to be read, so neither a device nor a pipe
    /// notices.
    private static let toName: Int32 = 0o10_000_000

    private let descriptor: Int32
    let status: stat

    private init(taking descriptor: Int32) throws(Failure) {
        guard descriptor >= 0 else { throw .fromErrno }
        self.descriptor = descriptor
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            let failure = Failure.fromErrno
            _ = close(descriptor)
            throw failure
        }
        self.status = status
    }

    deinit { _ = close(descriptor) }

    /// The file, and the folder that it was found in.
    static func open(_ path: String) throws(Failure) -> (file: OpenedFile, folder: OpenedFile) {
        let start = path.hasPrefix("/") ? "/" : "."
        var folder = try OpenedFile(taking: unsafe Glibc.open(start, Self.toName | O_DIRECTORY | O_CLOEXEC))
        var file = folder
        for name in path.split(separator: "/") {
            folder = file
            file = try folder.child(String(name))
        }
        return (file, folder)
    }

    private func child(_ name: String) throws(Failure) -> OpenedFile {
        let child = try OpenedFile(
            taking: unsafe openat(descriptor, name, Self.toName | O_NOFOLLOW | O_CLOEXEC))
        guard child.kind == S_IFLNK else { return child }
        guard isOurs else { throw Failure("\(name) is a link, which another user can have made") }
        return try OpenedFile(taking: unsafe openat(descriptor, name, Self.toName | O_CLOEXEC))
    }

    var kind: mode_t { status.st_mode & S_IFMT }

    /// Whether only root and this process's user can put files into this folder.
    private var isOurs: Bool {
        (status.st_uid == 0 || status.st_uid == geteuid()) && status.st_mode & 0o022 == 0
    }

    /// - Parameters:
    ///   - group: the group that the file gets; nil for the one that it has.
    ///   - owners: the acceptable owners.
    func setMode(_ mode: mode_t, group: gid_t? = nil, ifOwnedBy owners: Set<uid_t>) throws(Failure) {
        guard kind == S_IFREG else { throw Failure("it is no regular file") }
        guard status.st_nlink == 1 else { throw Failure("it has another name elsewhere (a hard link)") }
        guard owners.contains(status.st_uid) else {
            throw Failure("it belongs to the user \(status.st_uid), who has nothing to do with this gateway")
        }
        let name = "/proc/self/fd/\(descriptor)"
        if let group, unsafe chown(name, uid_t.max, group) != 0 { throw .fromErrno }
        guard unsafe chmod(name, mode) == 0 else { throw .fromErrno }
    }

    /// Makes a folder with mode 0700 in this one.
    /// - Parameter owner: the owner that root gives it; nil to keep it.
    func makeFolder(_ name: String, for owner: (user: uid_t, group: gid_t)?) throws(Failure) {
        guard isOurs else { throw Failure("other users can write to the folder that it stands in; make it by hand") }
        guard unsafe mkdirat(descriptor, name, 0o700) == 0 else { throw .fromErrno }
        guard let owner else { return }
        let made = unsafe openat(descriptor, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
        guard made >= 0 else { throw .fromErrno }
        defer { _ = close(made) }
        guard fchown(made, owner.user, owner.group) == 0 else { throw .fromErrno }
    }
}
