internal import Glibc
internal import SwitchyardFiles
internal import SwitchyardPendingRequests

/// The lock on a store, for this process and for the life of this object. A gateway has all requests in its memory, so
/// no second one may change them.
final class StoreLock: Sendable {
    private let lock: FileLock

    /// - Parameter path: the path of the database. If it is a link, the lock is beside the file that the link leads to.
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
