internal import Glibc

/// A folder that stays open, so that its names are looked up in it and not in another one that took its path.
public final class Folder: Sendable {
    /// The path that it was opened by, for messages.
    public let path: String
    /// The status at the opening.
    public let status: FileStatus
    let file: OpenFile

    /// - Parameter followsLink: false refuses a link as the last part of the path.
    public convenience init(_ path: String, followsLink: Bool = true) throws(FileError) {
        try self.init(OpenFile(path, for: .folder, followsLink: followsLink), path: path)
    }

    /// Opens a folder in another one; a link is refused.
    public convenience init(_ name: String, in folder: Folder) throws(FileError) {
        try self.init(OpenFile(name, in: folder, for: .folder), path: "\(folder.path)/\(name)")
    }

    private init(_ file: consuming OpenFile, path: String) throws(FileError) {
        status = try file.status()
        self.file = file
        self.path = path
    }

    /// Opens the folder of a file's path: the part in front of the last slash, else the working folder.
    public convenience init(of path: String) throws(FileError) {
        try self.init(FilePath.folder(of: path))
    }

    /// Makes a folder and the missing ones above it.
    /// - Parameter path: absolute.
    public static func make(_ path: String, mode: UInt32) throws(FileError) {
        var made = ""
        for name in path.split(separator: "/") {
            made += "/\(name)"
            guard unsafe mkdir(made, mode) != 0, errno != EEXIST else { continue }
            let error = FileError.last
            // A folder above may be there and refuse all the same, such as a read-only one.
            guard FilePath.exists(made) else { throw error }
        }
    }

    public var permissions: FilePermissions { status.permissions }

    /// For calls that this module does not make.
    public var descriptor: Int32 { file.descriptor }

    /// The names in the folder, sorted, without `.` and `..`.
    public func names() throws(FileError) -> [String] {
        // The stream closes the descriptor that it was given.
        let copy = unsafe openat(file.descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0 else { throw .last }
        guard let stream = unsafe fdopendir(copy) else {
            let error = FileError.last
            close(copy)
            throw error
        }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names.sorted()
    }

    /// The names in the folder, sorted, without hidden ones.
    public func visibleNames() throws(FileError) -> [String] { try names().filter { !$0.hasPrefix(".") } }

    /// The visible names in the folder at a path; none for a folder that cannot be read.
    public static func visibleNames(in path: String) -> [String] {
        do throws(FileError) {
            return try Folder(path).visibleNames()
        } catch {
            return []
        }
    }

    /// The status of a name; nil if there is none, or if it cannot be looked at.
    /// - Parameter followsLink: false for the status of a link itself.
    public func status(of name: String, followsLink: Bool = false) -> FileStatus? {
        do throws(FileError) {
            return try FileStatus(name, in: file.descriptor, flags: followsLink ? 0 : AT_SYMLINK_NOFOLLOW)
        } catch {
            return nil
        }
    }

    /// Removes a file. One that is not there is no error.
    public func remove(_ name: String) throws(FileError) {
        guard unsafe unlinkat(file.descriptor, name, 0) == 0 || errno == ENOENT else { throw .last }
    }

    /// Gives a file another name. A file that has that name is replaced in the same step.
    public func rename(_ name: String, to other: String) throws(FileError) {
        guard unsafe renameat(file.descriptor, name, file.descriptor, other) == 0 else { throw .last }
    }

    /// Gives a file a second name.
    /// - Throws: `EEXIST` for a name that exists.
    public func link(_ name: String, as other: String) throws(FileError) {
        guard unsafe linkat(file.descriptor, name, file.descriptor, other, 0) == 0 else { throw .last }
    }

    /// Makes a folder in this one.
    public func makeFolder(_ name: String, mode: UInt32) throws(FileError) {
        guard unsafe mkdirat(file.descriptor, name, mode) == 0 else { throw .last }
    }

    /// Waits until the names are on the disk: a new name survives a crash only then.
    public func sync() throws(FileError) {
        let copy = try OpenFile(".", in: self, for: .reading)
        // Some file systems cannot sync a folder, and answer EINVAL.
        guard fsync(copy.descriptor) == 0 || errno == EINVAL else { throw .last }
    }
}
