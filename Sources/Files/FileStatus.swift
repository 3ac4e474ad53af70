internal import Glibc

/// The facts that the kernel tells of a file: its kind, its owner and mode, its size and its identity.
public struct FileStatus: Hashable, Sendable {
    public enum Kind: Hashable, Sendable {
        case regular
        case folder
        case link
        case socket
        /// A pipe or a device.
        case other
    }

    /// The number that distinguishes a file from all others of this machine, under any name.
    public struct Identity: Hashable, Sendable {
        public let device: UInt64
        public let inode: UInt64
    }

    /// A time of the file system, in seconds and nanoseconds since 1970.
    public struct Time: Hashable, Sendable {
        public let seconds: Int
        public let nanoseconds: Int

        init(_ time: timespec) {
            (seconds, nanoseconds) = (time.tv_sec, time.tv_nsec)
        }
    }

    public let kind: Kind
    public let permissions: FilePermissions
    public let identity: Identity
    public let size: Int
    /// The number of the file's names (hard links); 0 for a file whose last name was removed.
    public let names: Int
    /// The time of the last change to the content.
    public let written: Time
    /// The time of the last change to the content, the name, the owner or the mode.
    public let changed: Time

    public var owner: UInt32 { permissions.owner }

    init(_ status: stat) {
        kind =
            switch status.st_mode & S_IFMT {
            case S_IFREG: .regular
            case S_IFDIR: .folder
            case S_IFLNK: .link
            case S_IFSOCK: .socket
            default: .other
            }
        permissions = FilePermissions(
            owner: status.st_uid, group: status.st_gid, mode: UInt32(status.st_mode & 0o7777))
        identity = Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
        size = Int(status.st_size)
        names = Int(status.st_nlink)
        (written, changed) = (Time(status.st_mtim), Time(status.st_ctim))
    }

    /// Looks at the file that a path leads to.
    public init(at path: String) throws(FileError) {
        try self.init(path, in: AT_FDCWD, flags: 0)
    }

    /// Looks at the file at a path, which may be a link itself.
    public init(ofLinkAt path: String) throws(FileError) {
        try self.init(path, in: AT_FDCWD, flags: AT_SYMLINK_NOFOLLOW)
    }

    /// Looks at an open file or stream.
    public init(of descriptor: Int32) throws(FileError) {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw .last }
        self.init(status)
    }

    init(_ name: String, in folder: Int32, flags: Int32) throws(FileError) {
        var status = stat()
        guard unsafe fstatat(folder, name, &status, flags) == 0 else { throw .last }
        self.init(status)
    }
}
