internal import Glibc

/// The number with which a system call failed.
struct SystemFailure: Error, Equatable {
    let number: Int32

    /// The error of the last call of this thread.
    static var last: SystemFailure { SystemFailure(number: errno) }

    var text: String {
        unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
    }

    /// Converts it to an error of the storage that names the failed action and the file.
    func error(_ action: String, _ path: String) -> TokenStorageError {
        let message = "cannot \(action) \(path): \(text)"
        return switch number {
        case EACCES, EPERM, EROFS:
            TokenStorageError(.denied, message, remedy: "give this user the right to, or name another directory")
        case ENOSPC, EDQUOT:
            TokenStorageError(.io, message, remedy: "free some space")
        default:
            TokenStorageError(.io, message, remedy: "look at the file system, or name another directory")
        }
    }
}
