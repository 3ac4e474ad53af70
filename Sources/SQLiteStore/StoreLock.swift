internal import Glibc
internal import SwitchyardFiles
internal import SwitchyardPendingRequests

/// Claims the store for this process, for as long as it lives. A gateway knows all of its requests, so no second one
/// may change them.
final class StoreLock: Sendable {
    private let lock: FileLock

    /// - Parameter path: of the database; the lock is beside it, and beside the file itself where the path is a link.
    /// - Throws: ``StoreLockError``.
    init(for path: String) throws(StoreLockError) {
        let lockFile = StoreFile(path: StoreFile(path: path).resolvedPath + ".lock")
        let file: OpenFile
        do throws(FileError) {
            file = try OpenFile(lockFile.path, for: .updating)
        } catch {
            throw .failed(lockFile.failure("cannot be opened", error))
        }
        do throws(LockError) {
            lock = try FileLock(file, holder: "process \(getpid()) on \(Self.host)")
        } catch {
            switch error {
            case .held(let holder): throw .taken(by: holder ?? "another process")
            case .failed(let error): throw .failed(lockFile.failure("cannot be locked", error))
            }
        }
    }

    private static var host: String {
        var name = utsname()
        unsafe uname(&name)
        return unsafe withUnsafeBytes(of: &name.nodename) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
    }
}

enum StoreLockError: Error {
    case taken(by: String)
    case failed(StoreError)
}
