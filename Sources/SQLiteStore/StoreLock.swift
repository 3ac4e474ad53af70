internal import Glibc
internal import SwitchyardPendingRequests

/// Claims the store for this process, for as long as it lives. A gateway knows all of its requests, so no second one
/// may change them.
final class StoreLock: Sendable {
    private let descriptor: Int32

    /// - Parameter path: of the database; the lock is beside it, and beside the file itself where the path is a link.
    /// - Throws: ``StoreLockFailure``.
    init(for path: String) throws(StoreLockFailure) {
        let path = StoreFile(path: path).resolvedPath + ".lock"
        let opened = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw .failed(StoreFile(path: path).failure("cannot be opened")) }
        // The object is whole from here on, so its end closes the file, also when this throws. Closing it here as well
        // would close what another thread has opened meanwhile under the same number.
        descriptor = opened
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK else { throw .failed(StoreFile(path: path).failure("cannot be locked")) }
            throw .held(by: Self.read(descriptor))
        }
        var name = utsname()
        unsafe uname(&name)
        let host = unsafe withUnsafeBytes(of: &name.nodename) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        let text = Array("process \(getpid()) on \(host)\n".utf8)
        // Only for people; the lock itself is the kernel's.
        ftruncate(descriptor, 0)
        _ = unsafe text.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    deinit { close(descriptor) }

    private static func read(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 300)
        let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
        let line = bytes.prefix(max(0, count)).prefix { $0 >= 0x20 && $0 < 0x7F }
        return line.isEmpty ? "another process" : String(decoding: line, as: UTF8.self)
    }
}

enum StoreLockFailure: Error {
    case held(by: String)
    case failed(StoreFailure)
}
