internal import Glibc

/// An open file. It is closed with its last use.
public struct OpenFile: ~Copyable, Sendable {
    /// For calls that this module does not make.
    public let descriptor: Int32

    /// Opens a file by its path.
    /// - Parameter followsLink: false refuses a link as the last part of the path.
    public init(_ path: String, for opening: Opening, followsLink: Bool = true) throws(FileError) {
        try self.init(path, in: AT_FDCWD, for: opening, followsLink)
    }

    /// Opens a file by its name in an open folder.
    public init(_ name: String, in folder: Folder, for opening: Opening, followsLink: Bool = false) throws(FileError) {
        try self.init(name, in: folder.file.descriptor, for: opening, followsLink)
    }

    /// Opens a file by its name in a folder that was opened for ``Opening/place``.
    public init(
        _ name: String, in folder: borrowing OpenFile, for opening: Opening, followsLink: Bool = false
    ) throws(FileError) {
        try self.init(name, in: folder.descriptor, for: opening, followsLink)
    }

    private init(_ path: String, in folder: Int32, for opening: Opening, _ followsLink: Bool) throws(FileError) {
        let flags = opening.flags | O_CLOEXEC | (followsLink ? 0 : O_NOFOLLOW)
        var opened = unsafe openat(folder, path, flags, opening.mode)
        while opened < 0 {
            guard errno == EINTR else { throw .last }
            opened = unsafe openat(folder, path, flags, opening.mode)
        }
        descriptor = opened
    }

    deinit { close(descriptor) }

    public func status() throws(FileError) -> FileStatus { try FileStatus(of: descriptor) }

    /// Reads a file or a stream to its end.
    /// - Throws: ``FileError/tooLarge`` for more than `maximum` bytes.
    public func readAll(maximum: Int) throws(FileError) -> [UInt8] {
        try Descriptor.readAll(descriptor, maximum: maximum)
    }

    public func write(_ bytes: [UInt8]) throws(FileError) {
        try Descriptor.write(bytes, to: descriptor)
    }

    /// Waits until the content is on the disk.
    public func sync() throws(FileError) {
        guard fsync(descriptor) == 0 else { throw .last }
    }

    /// Sets the mode; the umask does not count.
    public func setMode(_ mode: UInt32) throws(FileError) {
        guard fchmod(descriptor, mode) == 0 else { throw .last }
    }

    /// Whether a path, which may be a link itself, still means this file.
    public func isStill(at path: String) -> Bool {
        guard let own = try? status(), let named = try? FileStatus(ofLinkAt: path) else { return false }
        return own.identity == named.identity
    }

    /// The target of a link that was opened for ``Opening/place``.
    public var target: String? { FilePath.target(ofLink: descriptor) }
}
