internal import Glibc

/// A folder of this user. Its files are read and replaced by their bare names, relative to the open folder. Links in
/// place of a file are not followed, and other programs never see half a file.
final class GuardedFolder {
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    let path: String
    private let descriptor: Int32

    /// The largest file that counts; a desktop's files are smaller.
    private static let maximumSize = 8 << 20

    /// Opens the folder.
    /// - Returns: nil for a missing folder.
    static func open(_ path: String) throws(Problem) -> GuardedFolder? {
        let descriptor = unsafe Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return nil }
            throw failure(path, "cannot be opened")
        }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_uid == geteuid() else {
            close(descriptor)
            throw Problem(
                description:
                    "\(path) belongs to another user; as that user, run this again (HOME and XDG_* say whose it is)")
        }
        guard status.st_mode & (S_IWGRP | S_IWOTH) == 0 else {
            close(descriptor)
            let writers = status.st_mode & S_IWOTH == 0 ? "its group" : "everybody on this machine"
            throw Problem(description: "\(writers) can put files into \(path); chmod go-w \(path)")
        }
        return GuardedFolder(path, descriptor)
    }

    /// Opens the folder, made where it is missing.
    /// - Returns: how many folders were made, this one and those above it.
    static func make(_ path: String) throws(Problem) -> (folder: GuardedFolder, made: Int) {
        if let folder = try open(path) { return (folder, 0) }
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
            throw Problem(description: "\(path) cannot be made")
        }
        let (parent, made) = try make(String(path[..<slash]))
        let name = String(path[path.index(after: slash)...])
        guard unsafe mkdirat(parent.descriptor, name, 0o755) == 0 || errno == EEXIST else {
            throw failure(path, "cannot be made")
        }
        guard let folder = try open(path) else { throw failure(path, "cannot be opened") }
        return (folder, made + 1)
    }

    private init(_ path: String, _ descriptor: Int32) {
        self.path = path
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// The text of a file, also through a link; nil for a missing file.
    func read(_ name: String) throws(Problem) -> String? {
        let file = unsafe openat(descriptor, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else {
            if errno == ENOENT { return nil }
            throw Self.failure("\(path)/\(name)", "cannot be read")
        }
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= Self.maximumSize
        else { throw Problem(description: "\(path)/\(name) is no plain file of moderate size") }
        guard let bytes = ReadFile.all(of: file, expected: Int(status.st_size)),
            let text = String(validating: bytes, as: UTF8.self)
        else { throw Problem(description: "\(path)/\(name) cannot be read as text") }
        return text
    }

    /// Replaces or creates a file, in one step. A file with the same text stays as it is.
    func write(_ text: String, to name: String) throws(Problem) {
        if !isLink(name), let old = try? read(name), old == text { return }
        var status = stat()
        // The file's mode stays as the person has set it.
        let isThere = unsafe fstatat(descriptor, name, &status, 0) == 0
        let mode = isThere && status.st_mode & S_IFMT == S_IFREG ? status.st_mode & 0o777 : 0o644
        let fresh = ".\(name).\(getpid())"
        unsafe unlinkat(descriptor, fresh, 0)
        let file = unsafe openat(descriptor, fresh, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw Self.failure("\(path)/\(name)", "cannot be written") }
        let isWritten = Self.write(Array(text.utf8), to: file) && fchmod(file, mode) == 0 && fsync(file) == 0
        guard close(file) == 0, isWritten, unsafe renameat(descriptor, fresh, descriptor, name) == 0 else {
            let problem = Self.failure("\(path)/\(name)", "cannot be written")
            unsafe unlinkat(descriptor, fresh, 0)
            throw problem
        }
    }

    /// The folder and name where a change to this file takes effect: the target of a person's own link, else here.
    func place(of name: String) throws(Problem) -> (folder: GuardedFolder, name: String) {
        guard isLink(name) else { return (self, name) }
        let target = try LinkTarget(of: "\(path)/\(name)")
        return (target.folder, target.name)
    }

    func remove(_ name: String) throws(Problem) {
        guard unsafe unlinkat(descriptor, name, 0) == 0 || errno == ENOENT else {
            throw Self.failure("\(path)/\(name)", "cannot be removed")
        }
    }

    func has(_ name: String) -> Bool { unsafe faccessat(descriptor, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0 }

    func isLink(_ name: String) -> Bool {
        var status = stat()
        return unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0
            && status.st_mode & S_IFMT == S_IFLNK
    }

    /// Removes empty folders: this one, and as many above it as `count` says.
    static func removeEmpty(_ path: String, _ count: Int) {
        var path = path
        for _ in 0..<min(count, 8) {
            guard unsafe rmdir(path) == 0, let slash = path.lastIndex(of: "/") else { return }
            path = String(path[..<slash])
        }
    }

    private static func write(_ bytes: [UInt8], to file: Int32) -> Bool {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(file, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    static func failure(_ path: String, _ what: String) -> Problem {
        Problem(description: "\(path) \(what): \(unsafe String(cString: strerror(errno)))")
    }
}

/// Files that are only read.
enum ReadFile {
    /// The text of a plain file of at most a mebibyte; nil for a missing file.
    static func text(_ path: String) -> String? {
        let file = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard unsafe fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG, status.st_size <= 1 << 20 else {
            return nil
        }
        return all(of: file, expected: Int(status.st_size)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The names in a folder, sorted, without hidden ones; empty for a folder that cannot be read.
    static func names(in folder: String) -> [String] {
        guard let stream = unsafe opendir(folder) else { return [] }
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

    static func all(of file: Int32, expected: Int) -> [UInt8]? {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: max(4096, min(expected + 1, 1 << 20)))
        while bytes.count <= expected {
            let count = unsafe read(file, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { return nil }
            guard count > 0 else { return bytes }
            bytes += piece[..<count]
        }
        // It grew while it was read.
        return bytes.count == expected ? bytes : nil
    }
}
