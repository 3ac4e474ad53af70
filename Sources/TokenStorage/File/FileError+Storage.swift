internal import Glibc
internal import SwitchyardFiles

extension FileError {
    /// Converts it to an error of the storage that names the failed action and the file.
    func error(_ action: String, _ path: String) -> TokenStorageError {
        let message = "cannot \(action) \(path): \(reason)"
        return switch code {
        case EACCES, EPERM, EROFS:
            TokenStorageError(.denied, message, remedy: "give this user the right to, or name another directory")
        case ENOSPC, EDQUOT:
            TokenStorageError(.io, message, remedy: "free some space")
        default:
            TokenStorageError(.io, message, remedy: "look at the file system, or name another directory")
        }
    }
}

extension PrivacyError {
    /// Converts it to an error of the storage.
    /// - Parameters:
    ///   - otherKind: the description of a file of another kind.
    ///   - allowed: the mode that the remedy names, 0600 or 0700.
    func error(_ path: String, otherKind: String, allowed: UInt32) -> TokenStorageError {
        switch self {
        case .failed(let error): return error.error("look at", path)
        case .otherKind:
            return TokenStorageError(
                .denied, "\(path) is \(otherKind)", remedy: "see who put it there, and remove it")
        case .foreignOwner(let owner):
            return TokenStorageError(
                .denied, "\(path) belongs to user \(owner), and this process runs as user \(geteuid())",
                remedy: "remove it, or name another directory")
        case .open(let permissions):
            let mode = String(permissions.mode & 0o777, radix: 8)
            return TokenStorageError(
                .denied, "\(path) has mode \(mode): others on this machine have access",
                remedy: "find out who could read it, then `chmod \(String(allowed, radix: 8)) \(path)`")
        }
    }
}
