internal import Glibc

/// The few questions that a configuration asks of the file system.
enum FileSystem {
    /// A regular file that was read whole.
    struct Contents {
        let bytes: [UInt8]
        /// Everybody on this machine may read it.
        let isWorldReadable: Bool
    }

    /// Why a file could not be read, in words for an error message.
    struct Failure: Error, Equatable {
        let reason: String
    }

    /// Reads a regular file of at most `maximum` bytes.
    static func read(_ path: String, maximum: Int) throws(Failure) -> Contents {
        // Not blocking, so that a named pipe in the place of a file is refused and never waited for.
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { throw lastError() }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw lastError() }
        guard status.st_mode & S_IFMT == S_IFREG else { throw Failure(reason: "it is no regular file") }
        guard status.st_size <= maximum else {
            throw Failure(reason: "it is larger than \(Quantity.spell(size: maximum))")
        }
        let bytes = try read(descriptor, expected: Int(status.st_size), maximum: maximum)
        return Contents(bytes: bytes, isWorldReadable: status.st_mode & S_IROTH != 0)
    }

    /// The names in a directory, sorted, without hidden ones.
    static func names(in directory: String) throws(Failure) -> [String] {
        guard let stream = unsafe opendir(directory) else { throw lastError() }
        defer { unsafe closedir(stream) }
        var names: [String] = []
        while let entry = unsafe readdir(stream) {
            let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }

    /// The path with every symbolic link followed, or nil when nothing is there.
    static func realPath(_ path: String) -> String? {
        guard let resolved = unsafe realpath(path, nil) else { return nil }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    private static func read(_ descriptor: Int32, expected: Int, maximum: Int) throws(Failure) -> [UInt8] {
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

    private static func lastError() -> Failure {
        let number = errno
        return Failure(reason: unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)")
    }
}
