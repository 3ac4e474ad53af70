internal import Glibc

/// The use that a file is opened for. No program that this process begins gets the file.
public enum Opening: Sendable {
    /// For reading, without waiting: a pipe opens at once, and ``RegularFile`` refuses it.
    case reading
    /// For reading any kind of file. Opening a pipe waits for its writer.
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

    var flags: Int32 {
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

    var mode: UInt32 {
        if case .creating(let mode) = self { mode } else { 0o600 }
    }
}
