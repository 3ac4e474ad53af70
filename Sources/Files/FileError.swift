internal import Glibc

/// The reason why a file could not be opened, read or changed.
public enum FileError: Error, Equatable, Sendable {
    /// The kernel refused a call, with this number (errno(3)).
    case system(Int32)
    /// A folder, a pipe, a device or a socket stands in the place of a plain file.
    case notRegular
    /// The file holds more bytes than the caller takes.
    case tooLarge

    /// The error of this thread's last call.
    static var last: FileError { .system(errno) }

    /// The kernel's number; nil for an error of another kind.
    public var code: Int32? {
        if case .system(let code) = self { code } else { nil }
    }

    /// Whether there is no file with the name.
    public var isMissing: Bool { code == ENOENT }

    /// The reason in words, for a message that names the file.
    public var reason: String {
        switch self {
        // glibc keeps this text per thread.
        case .system(let code): unsafe strerror(code).map { unsafe String(cString: $0) } ?? "error \(code)"
        case .notRegular: "it is no regular file"
        case .tooLarge: "it is too large"
        }
    }
}
