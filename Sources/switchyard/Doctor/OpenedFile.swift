internal import Glibc
internal import SwitchyardFiles

/// A file or a folder that is held open while it is inspected and changed, so it cannot be exchanged in between.
///
/// On the way to it, a link is followed only if just root or this process's user can have made it. The gateway's user
/// owns the folder of the database, and must not be able to lead root to another user's file.
final class OpenedFile {
    struct Failure: Error {
        let text: String

        init(_ text: String) { self.text = text }

        init(_ error: FileError) { self.init(error.reason) }
    }

    private let file: OpenFile
    let status: FileStatus

    private init(_ open: () throws(FileError) -> OpenFile) throws(Failure) {
        do throws(FileError) {
            let file = try open()
            status = try file.status()
            self.file = file
        } catch {
            throw Failure(error)
        }
    }

    /// The file, and the folder that it was found in.
    static func open(_ path: String) throws(Failure) -> (file: OpenedFile, folder: OpenedFile) {
        let start = path.hasPrefix("/") ? "/" : "."
        var folder = try OpenedFile { () throws(FileError) in try OpenFile(start, for: .folder) }
        var file = folder
        for name in path.split(separator: "/") {
            folder = file
            file = try folder.child(String(name))
        }
        return (file, folder)
    }

    private func child(_ name: String) throws(Failure) -> OpenedFile {
        let child = try OpenedFile { () throws(FileError) in try OpenFile(name, in: file, for: .place) }
        guard child.status.kind == .link else { return child }
        guard isOurs else { throw Failure("\(name) is a link, which another user can have made") }
        return try OpenedFile { () throws(FileError) in
            try OpenFile(name, in: file, for: .place, followsLink: true)
        }
    }

    /// Whether only root and this process's user can put files into this folder.
    private var isOurs: Bool {
        status.permissions.isOwnOrRoots && status.permissions.isOwnersToChange
    }

    /// - Parameters:
    ///   - group: the group that the file gets; nil for the one that it has.
    ///   - owners: the acceptable owners.
    func setMode(_ mode: mode_t, group: gid_t? = nil, ifOwnedBy owners: Set<uid_t>) throws(Failure) {
        guard status.kind == .regular else { throw Failure("it is no regular file") }
        guard status.names == 1 else { throw Failure("it has another name elsewhere (a hard link)") }
        guard owners.contains(status.owner) else {
            throw Failure("it belongs to the user \(status.owner), who has nothing to do with this gateway")
        }
        let name = "/proc/self/fd/\(file.descriptor)"
        if let group, unsafe chown(name, uid_t.max, group) != 0 { throw Failure(.system(errno)) }
        guard unsafe chmod(name, mode) == 0 else { throw Failure(.system(errno)) }
    }

    /// Makes a folder with mode 0700 in this one.
    /// - Parameter owner: the owner that root gives it; nil to keep it.
    func makeFolder(_ name: String, for owner: (user: uid_t, group: gid_t)?) throws(Failure) {
        guard isOurs else { throw Failure("other users can write to the folder that it stands in; make it by hand") }
        guard unsafe mkdirat(file.descriptor, name, 0o700) == 0 else { throw Failure(.system(errno)) }
        guard let owner else { return }
        let made = try OpenedFile { () throws(FileError) in try OpenFile(name, in: file, for: .reading) }
        guard made.status.kind == .folder, fchown(made.file.descriptor, owner.user, owner.group) == 0 else {
            throw Failure(.system(errno))
        }
    }
}
