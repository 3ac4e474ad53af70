internal import Glibc
internal import SwitchyardFiles

/// A directory that only this user may open. Files are named relative to the open directory, so it cannot be replaced
/// between two calls.
struct PrivateDirectory {
    let folder: Folder

    var path: String { folder.path }

    /// The directory; nil if it is missing.
    ///
    /// Errors: `denied` if it is a symbolic link, another user's, or open to others.
    static func open(_ path: String) throws(TokenStorageError) -> PrivateDirectory? {
        let folder: Folder
        do throws(FileError) {
            folder = try Folder(path, followsLink: false)
        } catch {
            if error.isMissing { return nil }
            // A symbolic link gives either of the two.
            guard error.code != ENOTDIR, error.code != ELOOP else {
                try checkPossible(path)
                throw TokenStorageError(
                    .denied, "\(path) is no directory, or a symbolic link",
                    remedy: "remove it, or name another directory")
            }
            throw error.error("open", path)
        }
        do throws(PrivacyError) {
            return PrivateDirectory(folder: try PrivateFolder(folder).folder)
        } catch {
            throw error.error(path, otherKind: "no directory", allowed: 0o700)
        }
    }

    /// The directory; missing ones, also those above it, are made with mode 0700.
    static func make(_ path: String) throws(TokenStorageError) -> PrivateDirectory {
        if let directory = try open(path) { return directory }
        do throws(FileError) {
            try Folder.make(path, mode: 0o700)
        } catch {
            throw error.error("make the directory", path)
        }
        guard let directory = try open(path) else {
            throw FileError.system(ENOENT).error("open", path)
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
            let status: FileStatus
            do throws(FileError) {
                status = try FileStatus(at: parent)
            } catch {
                if error.isMissing || error.code == ENOTDIR { continue }
                throw error.error("look at", parent)
            }
            guard status.kind == .folder else {
                throw TokenStorageError(
                    .denied, "\(parent) is no directory, and \(path) cannot be made below it",
                    remedy: "move it away, or name another directory")
            }
            guard !FilePath.exists(path) else { return }
            do throws(FileError) {
                return try FilePath.checkWritable(folder: parent)
            } catch {
                throw error.error("make a directory in", parent)
            }
        }
    }

    /// The path of a file in it, for messages.
    func path(of name: String) -> String { "\(path)/\(name)" }
}
