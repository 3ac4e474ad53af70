internal import Glibc

/// The few questions that a configuration asks of the file system.
enum FileSystem {
    /// A regular file that was read whole, with its status from the kernel.
    struct Contents {
        let bytes: [UInt8]
        let permissions: FilePermissions
        /// Whether the file has another name too, which may be in another user's directory.
        let hasOtherNames: Bool
        /// nil where it does not matter whether it becomes another.
        var mark: FileMark?

        var owner: UInt32 { permissions.owner }
    }

    /// The reason why a file could not be read, in words for an error message.
    struct Failure: Error, Equatable {
        let reason: String
        /// The command that mends it; nil where the caller knows a remedy.
        var remedy: String?
        /// Whether the kernel denied this user the access.
        var isDenied = false
    }

    /// Reads a regular file of at most `maximum` bytes, through links where the path has some.
    static func read(_ path: String, maximum: Int) throws(Failure) -> Contents {
        try read(unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), maximum)
    }

    /// Reads and closes an open file. It was opened without blocking, so a named pipe is refused at once. The status
    /// comes from the open file itself, even if its name has changed.
    static func read(_ descriptor: Int32, _ maximum: Int) throws(Failure) -> Contents {
        guard descriptor >= 0 else { throw lastError() }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw lastError() }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Failure(reason: "it is no regular file") }
        guard status.st_size <= maximum else {
            throw Failure(reason: "it is larger than \(Quantity.spell(size: maximum))")
        }
        let bytes = try bytes(of: descriptor, expected: Int(status.st_size), maximum: maximum)
        return Contents(
            bytes: bytes, permissions: FilePermissions(status), hasOtherNames: status.st_nlink > 1,
            mark: FileMark(status))
    }

    private static func bytes(of descriptor: Int32, expected: Int, maximum: Int) throws(Failure) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: expected + 1)
        var count = 0
        while true {
            let received = unsafe bytes.withUnsafeMutableBytes { buffer in
                unsafe Glibc.read(descriptor, buffer.baseAddress?.advanced(by: count), buffer.count - count)
            }
            if received < 0, errno == EINTR { continue }
            guard received >= 0 else { throw lastError() }
            guard received > 0 else { break }
            count += received
            guard count <= maximum else { throw Failure(reason: "it grew while it was read") }
            if count == bytes.count { bytes += [UInt8](repeating: 0, count: count) }
        }
        bytes.removeSubrange(count...)
        return bytes
    }

    static func lastError() -> Failure {
        let number = errno
        let reason = unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)"
        return Failure(reason: reason, isDenied: number == EACCES)
    }
}
