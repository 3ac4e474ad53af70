internal import Glibc
internal import SwitchyardCLinux

/// A file, independent of its name.
struct FileIdentity: Hashable {
    let device: UInt64
    let number: UInt64
}

extension FileIdentity {
    /// The target of a link of `/proc`; nil if the kernel hides it. No file system is asked.
    init?(link path: String) {
        var file = sy_file()
        guard unsafe sy_look(AT_FDCWD, path, 1, &file) == 0 else { return nil }
        self.init(device: file.device, number: file.number)
    }

    /// The regular file at an absolute path of this process; nil if it is missing, or if a program answers for a file
    /// system on the way.
    init?(at path: String, mounts: MountTable) {
        guard let pointer = FilePointer.root(of: "/proc/self")?.walk(to: path, mounts.mayAsk), pointer.isRegular else {
            return nil
        }
        self = pointer.identity
    }
}

/// A file that is pointed at without being opened (`O_PATH`).
final class FilePointer {
    private let descriptor: Int32
    private let file: sy_file

    /// As in Linux.
    private static let maximumLinks = 40

    /// nil if the file is missing.
    private init?(_ folder: Int32, _ name: String, follows: Bool) {
        let descriptor = unsafe sy_point(folder, name, follows ? 1 : 0)
        guard descriptor >= 0 else { return nil }
        var file = sy_file()
        guard unsafe sy_look(descriptor, "", 0, &file) == 0 else {
            close(descriptor)
            return nil
        }
        self.descriptor = descriptor
        self.file = file
    }

    deinit { close(descriptor) }

    /// The root of a process, by its folder in `/proc`; nil where the kernel does not show it.
    static func root(of process: String) -> FilePointer? { FilePointer(AT_FDCWD, "\(process)/root", follows: true) }

    var identity: FileIdentity { FileIdentity(device: file.device, number: file.number) }
    var isRegular: Bool { file.mode & S_IFMT == S_IFREG }
    private var isLink: Bool { file.mode & S_IFMT == S_IFLNK }
    private var isFolder: Bool { file.mode & S_IFMT == S_IFDIR }

    /// Finds the file at a path, with this file as the root. Looks up one name at a time and follows links itself, so
    /// it never enters a file system that may not be asked.
    /// - Parameter mayAsk: whether the file system of a mount may be asked.
    func walk(to path: String, _ mayAsk: (UInt64) -> Bool) -> FilePointer? {
        var rest = path.split(separator: "/")[...]
        var place = self
        var links = 0
        while let name = rest.popFirst() {
            guard place.isFolder, mayAsk(place.file.mount) else { return nil }
            guard let next = FilePointer(place.descriptor, String(name), follows: false) else { return nil }
            guard mayAsk(next.file.mount) else { return nil }
            guard next.isLink else {
                place = next
                continue
            }
            links += 1
            guard links <= Self.maximumLinks, let target = next.target else { return nil }
            rest = target.split(separator: "/")[...] + rest
            if target.hasPrefix("/") { place = self }
        }
        return mayAsk(place.file.mount) ? place : nil
    }

    /// The text of a small regular file.
    func text(maximum: Int) -> String? {
        isRegular ? SmallFile.text("/proc/self/fd/\(descriptor)", maximum: maximum, follows: true) : nil
    }

    /// Whether another process holds a lock on it.
    var isLocked: Bool { isRegular && SmallFile.isLocked("/proc/self/fd/\(descriptor)") }

    private var target: String? {
        var bytes = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlinkat(descriptor, "", &bytes, bytes.count)
        return count > 0 ? String(decoding: bytes.prefix(count).map { UInt8(bitPattern: $0) }, as: UTF8.self) : nil
    }
}

/// A small file of `/proc`, or one that a ``FilePointer`` leads to: it is not waited for.
enum SmallFile {
    /// Whether another process holds a lock on it.
    static func isLocked(_ path: String) -> Bool {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        return unsafe fcntl(descriptor, F_GETLK, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
    }

    /// The text of a small file; nil if it cannot be read.
    static func text(_ path: String, maximum: Int, follows: Bool = false) -> String? {
        bytes(path, maximum: maximum, follows: follows).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The first bytes of a file; nil if it cannot be read.
    static func bytes(_ path: String, maximum: Int, follows: Bool = false) -> [UInt8]? {
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (follows ? 0 : O_NOFOLLOW)
        let descriptor = unsafe open(path, flags)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 16 << 10)
        while bytes.count < maximum {
            let more = unsafe piece.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
            guard more > 0 else { break }
            bytes += piece.prefix(more)
        }
        return Array(bytes.prefix(maximum))
    }
}
