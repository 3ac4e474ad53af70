internal import Glibc
internal import SwitchyardFiles

extension PrivateDirectory {
    /// The bytes of a file of this user alone; nil if it is missing.
    ///
    /// Errors: `denied` for symbolic links, special files, other owners and open modes; `tooLarge`; `io`.
    func read(_ name: String, maximum: Int) throws(TokenStorageError) -> [UInt8]? {
        guard let file = try open(name, for: .reading) else { return nil }
        do throws(FileError) {
            return try file.read(maximum: maximum)
        } catch .tooLarge {
            throw TokenStorageError(
                .tooLarge, "\(path(of: name)) is larger than any document of tokens",
                remedy: "see who wrote it, and remove it")
        } catch {
            throw error.error("read", path(of: name))
        }
    }

    /// Replaces the file `name` by `bytes`, atomically: readers, also after a crash, see the old one or the new one.
    /// The caller holds the lock, because all writers share the name `unfinished`.
    func replace(_ name: String, with bytes: [UInt8], by unfinished: String) throws(TokenStorageError) {
        do throws(FileError) {
            try folder.replace(name, with: bytes, draft: unfinished, isDurable: true)
        } catch {
            throw error.error("write", path(of: name))
        }
    }

    /// Removes a file, if there is one.
    func remove(_ name: String) throws(TokenStorageError) {
        do throws(FileError) {
            try folder.remove(name)
            try folder.sync()
        } catch {
            throw error.error("remove", path(of: name))
        }
    }

    /// Gives a file an unused name. The caller holds the lock.
    func rename(_ name: String, to other: String) throws(TokenStorageError) {
        do throws(FileError) {
            guard version(of: other) == nil else { throw .system(EEXIST) }
            try folder.rename(name, to: other)
            try folder.sync()
        } catch {
            throw error.error("set aside", path(of: name))
        }
    }

    /// The version of the file under a name, even an unopenable one; nil if it is missing.
    func version(of name: String) -> FileVersion? { folder.status(of: name).map(FileVersion.init) }

    /// Opens a file of this user alone; nil for a missing file that is only read.
    func open(_ name: String, for opening: Opening) throws(TokenStorageError) -> PrivateFile? {
        let file: OpenFile
        do throws(FileError) {
            file = try OpenFile(name, in: folder, for: opening)
        } catch {
            if error.isMissing { return nil }
            guard error.code == ELOOP else { throw error.error("open", path(of: name)) }
            throw TokenStorageError(
                .denied, "\(path(of: name)) is a symbolic link", remedy: "see who put it there, and remove it")
        }
        do throws(PrivacyError) {
            return try PrivateFile(file)
        } catch {
            throw error.error(path(of: name), otherKind: "no regular file", allowed: 0o600)
        }
    }
}

/// Tells whether a name still means the same, unchanged file. Each write makes a new file, and so a new version.
struct FileVersion: Equatable, Sendable {
    private let identity: FileStatus.Identity
    private let changed: FileStatus.Time

    init(_ status: FileStatus) {
        (identity, changed) = (status.identity, status.changed)
    }
}
