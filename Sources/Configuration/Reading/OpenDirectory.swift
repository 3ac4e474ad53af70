internal import Glibc

/// A directory that stays open while it is read. Each file is looked up from there, name by name. So no writer of the
/// directory can have a file outside read in its place.
final class OpenDirectory: Sendable {
    let path: String
    let permissions: FilePermissions
    /// Whether it is a volume of Kubernetes: mounted read-only by itself, with root's link `..data`. There the write bits let no
    /// user write. Another read-only mount, such as a service's view of `/etc`, says nothing about writers outside.
    let isReadOnly: Bool
    private let descriptor: Int32

    init(_ path: String) throws(FileSystem.Failure) {
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileSystem.lastError() }
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            close(descriptor)
            throw FileSystem.lastError()
        }
        isReadOnly = Self.isVolume(descriptor, status)
        self.path = path
        self.descriptor = descriptor
        permissions = FilePermissions(status)
    }

    private static func isVolume(_ descriptor: Int32, _ status: stat) -> Bool {
        var (system, above, link) = (statvfs(), stat(), stat())
        return unsafe fstatvfs(descriptor, &system) == 0 && system.f_flag & UInt(ST_RDONLY) != 0
            && fstatat(descriptor, "..", &above, 0) == 0 && above.st_dev != status.st_dev
            && fstatat(descriptor, "..data", &link, AT_SYMLINK_NOFOLLOW) == 0
            && link.st_mode & S_IFMT == S_IFLNK && link.st_uid == 0
    }

    deinit { close(descriptor) }

    /// The names in it, sorted, without hidden ones.
    func names() throws(FileSystem.Failure) -> [String] {
        // The stream closes the descriptor that it was given.
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

    /// The mark that tells it from another directory, and from itself with other apps.
    func mark() throws(FileSystem.Failure) -> FileMark {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else { throw FileSystem.lastError() }
        return FileMark(status, names: try namesOfApps())
    }

    /// Whether a path names a file below the directory without a way around: no empty name, no `.` and no `..`.
    static func isBelow(_ path: String) -> Bool {
        let names = path.split(separator: "/", omittingEmptySubsequences: false)
        return !path.utf8.contains(0) && names.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." }
    }

    /// A file below the directory, and the way on which it was found.
    struct Found {
        let contents: FileSystem.Contents
        /// The real names of the folders below the directory and of the file, after all links.
        let names: [String]
        /// The directory, and the folders of ``names``: each holds the name that stands at its place there.
        let folders: [FilePermissions]
    }

    /// Reads the regular file at a path below the directory, of at most `maximum` bytes. Links are followed as long as they stay
    /// inside the directory.
    func read(_ path: String, maximum: Int) throws(FileSystem.Failure) -> Found {
        guard Self.isBelow(path) else { throw FileSystem.Failure(reason: "it is not in \(self.path)") }
        let walk = WalkBelow(self.path, descriptor)
        let file = try walk.open(path)
        let contents = try FileSystem.read(file, maximum)
        return Found(contents: contents, names: walk.names, folders: [permissions] + walk.folders)
    }

    /// The folders above the directory, up to the root; nil when one cannot be looked at.
    func foldersAbove() -> [FilePermissions]? {
        var folders: [FilePermissions] = []
        var current = unsafe openat(descriptor, ".", WalkBelow.toName | O_DIRECTORY | O_CLOEXEC)
        defer { if current >= 0 { close(current) } }
        var status = stat()
        guard current >= 0, unsafe fstat(current, &status) == 0 else { return nil }
        while true {
            let parent = unsafe openat(current, "..", WalkBelow.toName | O_DIRECTORY | O_CLOEXEC)
            guard parent >= 0 else { return nil }
            close(current)
            current = parent
            let below = status
            guard unsafe fstat(current, &status) == 0 else { return nil }
            // The root is its own parent.
            if status.st_ino == below.st_ino, status.st_dev == below.st_dev { return folders }
            folders.append(FilePermissions(status))
        }
    }
}

/// One look-up of a file below an open directory. The kernel is asked for one name at a time, and `..` returns to the
/// folder that was opened before. So neither a link nor a renamed folder leads outside. RESOLVE_BENEATH of openat2(2)
/// does the same, but does not tell the path.
private final class WalkBelow {
    /// O_PATH of fcntl.h, which Swift does not see.
    static let toName: Int32 = 0o10_000_000
    /// As many links as the kernel follows.
    private static let maximumLinks = 40

    private let path: String
    private let start: Int32
    private var opened: [(descriptor: Int32, name: String, permissions: FilePermissions)] = []
    private var fileName = ""

    init(_ path: String, _ start: Int32) {
        self.path = path
        self.start = start
    }

    deinit { for folder in opened { close(folder.descriptor) } }

    var names: [String] { opened.map(\.name) + [fileName] }
    var folders: [FilePermissions] { opened.map(\.permissions) }

    /// Opens the file for reading. The caller closes it, and checks it by its descriptor.
    func open(_ path: String) throws(FileSystem.Failure) -> Int32 {
        var rest = Array(path.split(separator: "/").reversed())
        var links = 0
        while let name = rest.popLast() {
            if name == "." { continue }
            if name == ".." {
                guard let last = opened.popLast() else { throw leaving }
                close(last.descriptor)
                continue
            }
            let folder = opened.last?.descriptor ?? start
            let found = unsafe openat(folder, String(name), Self.toName | O_NOFOLLOW | O_CLOEXEC)
            guard found >= 0 else { throw FileSystem.lastError() }
            var status = stat()
            guard unsafe fstat(found, &status) == 0 else {
                close(found)
                throw FileSystem.lastError()
            }
            switch status.st_mode & S_IFMT {
            case S_IFLNK:
                defer { close(found) }
                links += 1
                let target = try target(of: found)
                guard links <= Self.maximumLinks else {
                    throw FileSystem.Failure(reason: "too many symbolic links lead to it")
                }
                rest += try inside(target).split(separator: "/").reversed()
            case S_IFDIR: opened.append((found, String(name), FilePermissions(status)))
            default:
                close(found)
                guard rest.isEmpty else { throw FileSystem.Failure(reason: "\(name) is no folder") }
                fileName = String(name)
                // Another file may have taken the name in between, so the opened one is checked.
                let file = unsafe openat(folder, fileName, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOFOLLOW)
                guard file >= 0 else { throw FileSystem.lastError() }
                return file
            }
        }
        throw FileSystem.Failure(reason: "it is no regular file")
    }

    /// The part of a link's target that is looked up next. An absolute target must be below the directory, and is looked up
    /// from there.
    private func inside(_ target: String) throws(FileSystem.Failure) -> Substring {
        guard target.hasPrefix("/") else { return target[...] }
        var folders = [path]
        if let real = unsafe realpath(path, nil) {
            folders.append(unsafe String(cString: real))
            unsafe free(real)
        }
        guard let folder = folders.first(where: { target.hasPrefix("\($0)/") }) else { throw leaving }
        for folder in opened { close(folder.descriptor) }
        opened = []
        return target.dropFirst(folder.utf8.count)
    }

    private func target(of link: Int32) throws(FileSystem.Failure) -> String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = unsafe readlinkat(link, "", &buffer, buffer.count)
        guard count > 0 else { throw FileSystem.lastError() }
        return String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    private var leaving: FileSystem.Failure {
        FileSystem.Failure(reason: "it is a symbolic link that leads out of \(path)")
    }
}
