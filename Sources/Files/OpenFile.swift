internal import Glibc

/// The use that a file is opened for. No program that this process begins gets the file.
public enum Opening: Sendable {
    /// For reading. Nothing is waited for, so a pipe in the place of a file is opened at once; ``RegularFile`` refuses it.
    case reading
    /// For reading whatever stands there: a pipe is waited for.
    case readingAnyKind
    /// A folder, so that names can be looked up in it. Needs no right to list it.
    case folder
    /// The bare place of a file, which is not read: a device or a pipe does not notice.
    case place
    /// A new file for writing, with this mode less the umask. A name that exists is refused, also that of a link.
    case creating(mode: UInt32)
    /// A file that stays, for reading and writing; made with mode 0600 where it is missing.
    case updating
    /// A device, for reading and writing.
    case device

    /// O_PATH of fcntl.h, which Swift does not see.
    private static let toName: Int32 = 0o10_000_000

    fileprivate var flags: Int32 {
        switch self {
        case .reading: O_RDONLY | O_NONBLOCK | O_NOCTTY
        case .readingAnyKind: O_RDONLY
        case .folder: Self.toName | O_DIRECTORY
        case .place: Self.toName
        case .creating: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW
        case .updating: O_RDWR | O_CREAT | O_NONBLOCK | O_NOCTTY
        case .device: O_RDWR
        }
    }

    fileprivate var mode: UInt32 {
        if case .creating(let mode) = self { mode } else { 0o600 }
    }
}

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

    /// Sets the mode, whatever the umask is.
    public func setMode(_ mode: UInt32) throws(FileError) {
        guard fchmod(descriptor, mode) == 0 else { throw .last }
    }

    /// Whether a path, which may be a link itself, still means this file.
    public func isStill(at path: String) -> Bool {
        guard let own = try? status(), let named = try? FileStatus(ofLinkAt: path) else { return false }
        return own.identity == named.identity
    }
}

/// An open file that is known to be a plain one, by the kernel's word on the open file itself.
public struct RegularFile: ~Copyable, Sendable {
    public let file: OpenFile
    /// The status at the check.
    public let status: FileStatus

    /// - Throws: ``FileError/notRegular`` for any other kind.
    public init(_ file: consuming OpenFile) throws(FileError) {
        let status = try file.status()
        guard status.kind == .regular else { throw .notRegular }
        self.file = file
        self.status = status
    }

    /// Opens and checks a file by its path.
    public init(_ path: String, followsLink: Bool = true) throws(FileError) {
        try self.init(OpenFile(path, for: .reading, followsLink: followsLink))
    }

    /// Opens and checks a file by its name in an open folder.
    public init(_ name: String, in folder: Folder, followsLink: Bool = false) throws(FileError) {
        try self.init(OpenFile(name, in: folder, for: .reading, followsLink: followsLink))
    }

    /// Reads the whole file.
    /// - Throws: ``FileError/tooLarge`` for more than `maximum` bytes.
    public func read(maximum: Int) throws(FileError) -> [UInt8] {
        guard status.size <= maximum else { throw .tooLarge }
        return try Descriptor.readAll(file.descriptor, maximum: maximum, expected: status.size)
    }

    /// Reads at most the first `maximum` bytes. For files of the kernel, which have no size.
    public func readFirst(_ maximum: Int) throws(FileError) -> [UInt8] {
        try Descriptor.readFirst(file.descriptor, maximum)
    }
}

/// Small files, for callers that do without a file that cannot be read.
public enum SmallFile {
    /// The first bytes of a plain file or of one of the kernel's; nil if it cannot be read.
    public static func bytes(_ path: String, maximum: Int = 64 << 10, followsLink: Bool = true) -> [UInt8]? {
        do throws(FileError) {
            return try RegularFile(path, followsLink: followsLink).readFirst(maximum)
        } catch {
            return nil
        }
    }

    /// The same as text.
    public static func text(_ path: String, maximum: Int = 64 << 10, followsLink: Bool = true) -> String? {
        bytes(path, maximum: maximum, followsLink: followsLink).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The whole text of a plain file; nil if it cannot be read or is larger.
    public static func wholeText(_ path: String, maximum: Int) -> String? {
        do throws(FileError) {
            return String(decoding: try RegularFile(path).read(maximum: maximum), as: UTF8.self)
        } catch {
            return nil
        }
    }
}
