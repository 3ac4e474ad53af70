internal import Glibc

/// The few questions that a configuration asks of the file system.
enum FileSystem {
    /// A regular file that was read whole, and what the kernel says of it.
    struct Contents {
        let bytes: [UInt8]
        let owner: UInt32
        /// Everybody on this machine may read it.
        let isWorldReadable: Bool
        /// Everybody on this machine may change it.
        let isWorldWritable: Bool
        /// The file is reachable by another name too, which may be in somebody else's directory.
        let hasOtherNames: Bool
        /// nil where it does not matter whether it becomes another.
        var mark: FileMark?
    }

    /// Why a file could not be read, in words for an error message.
    struct Failure: Error, Equatable {
        let reason: String
    }

    /// Reads a regular file of at most `maximum` bytes, through links where the path has some.
    static func read(_ path: String, maximum: Int) throws(Failure) -> Contents {
        try read(unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), maximum)
    }

    /// Reads and closes an open file. It was opened without blocking, so that a named pipe in the place of a file is
    /// refused and never waited for; what it is comes from the open file itself, whatever has become of its name.
    fileprivate static func read(_ descriptor: Int32, _ maximum: Int) throws(Failure) -> Contents {
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
            bytes: bytes, owner: status.st_uid, isWorldReadable: status.st_mode & S_IROTH != 0,
            isWorldWritable: status.st_mode & S_IWOTH != 0, hasOtherNames: status.st_nlink > 1,
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

    fileprivate static func lastError() -> Failure {
        let number = errno
        return Failure(reason: unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)")
    }
}

/// A directory that stays open while it is read: what is in it is opened from there by its bare name and never through
/// a link, so that nobody who may write in it can have another file read in the place of one.
final class OpenDirectory: Sendable {
    let path: String
    /// Everybody on this machine may put files into it.
    let isWorldWritable: Bool
    let owner: UInt32
    private let descriptor: Int32

    init(_ path: String) throws(FileSystem.Failure) {
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileSystem.lastError() }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            close(descriptor)
            throw FileSystem.lastError()
        }
        self.path = path
        self.descriptor = descriptor
        owner = status.st_uid
        isWorldWritable = status.st_mode & S_IWOTH != 0
    }

    deinit { close(descriptor) }

    /// The names in it, sorted, without hidden ones.
    func names() throws(FileSystem.Failure) -> [String] {
        // Of its own, because the stream closes what it was given.
        let copy = unsafe openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard copy >= 0 else { throw FileSystem.lastError() }
        guard let stream = unsafe fdopendir(copy) else {
            close(copy)
            throw FileSystem.lastError()
        }
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

    /// The names of the files that hold apps, sorted. Others, such as secrets, are left alone.
    func namesOfApps() throws(FileSystem.Failure) -> [String] {
        try names().filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }
    }

    /// What tells it from another, and from itself with other apps.
    func mark() throws(FileSystem.Failure) -> FileMark {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw FileSystem.lastError() }
        return FileMark(status, names: try namesOfApps())
    }

    /// Whether a name is that of a file right here.
    static func isBareName(_ name: String) -> Bool {
        !name.isEmpty && name != "." && name != ".." && !name.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
    }

    /// Reads the regular file with a bare name, of at most `maximum` bytes.
    func read(_ name: String, maximum: Int) throws(FileSystem.Failure) -> FileSystem.Contents {
        guard Self.isBareName(name) else { throw FileSystem.Failure(reason: "it is not in \(path)") }
        let opened = unsafe openat(descriptor, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
        if opened < 0, errno == ELOOP { throw FileSystem.Failure(reason: "it is a symbolic link") }
        return try FileSystem.read(opened, maximum)
    }
}
