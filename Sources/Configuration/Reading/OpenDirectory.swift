internal import Glibc
internal import SwitchyardFiles

/// A directory that stays open while it is read. Each file is looked up from there, name by name. So no writer of the
/// directory can have a file outside read in its place.
final class OpenDirectory: Sendable {
    /// Whether it is a volume of Kubernetes: mounted read-only by itself, with root's link `..data`. There the write bits let no
    /// user write. Another read-only mount, such as a service's view of `/etc`, says nothing about writers outside.
    let isReadOnly: Bool
    private let folder: Folder

    var path: String { folder.path }
    var permissions: FilePermissions { folder.permissions }

    init(_ path: String) throws(FileSystem.Failure) {
        let folder = try FileSystem.ask { () throws(FileError) in try Folder(path) }
        isReadOnly = Self.isVolume(folder)
        self.folder = folder
    }

    private static func isVolume(_ folder: Folder) -> Bool {
        var system = statvfs()
        guard unsafe fstatvfs(folder.descriptor, &system) == 0, system.f_flag & UInt(ST_RDONLY) != 0,
            let above = folder.status(of: ".."), let link = folder.status(of: "..data")
        else { return false }
        return above.identity.device != folder.status.identity.device && link.kind == .link && link.owner == 0
    }

    /// The names in it, sorted, without hidden ones.
    func names() throws(FileSystem.Failure) -> [String] {
        try FileSystem.ask { () throws(FileError) in try folder.visibleNames() }
    }

    /// The names of the files that hold apps, sorted. Others, such as secrets, are left alone.
    func namesOfApps() throws(FileSystem.Failure) -> [String] {
        try names().filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }
    }

    /// The mark that tells it from another directory, and from itself with other apps.
    func mark() throws(FileSystem.Failure) -> FileMark {
        FileMark(folder.status.identity, names: try namesOfApps())
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
        var walk = WalkBelow(folder)
        let contents = try FileSystem.contents(of: try walk.open(path), maximum: maximum)
        return Found(contents: contents, names: walk.names, folders: [permissions] + walk.folders)
    }

    /// The folders above the directory, up to the root; nil when one cannot be looked at.
    func foldersAbove() -> [FilePermissions]? {
        var folders: [FilePermissions] = []
        var current = folder
        while true {
            guard let parent = try? Folder("..", in: current) else { return nil }
            // The root is its own parent.
            if parent.status.identity == current.status.identity { return folders }
            folders.append(parent.permissions)
            current = parent
        }
    }
}

/// One look-up of a file below an open directory. The kernel is asked for one name at a time, and `..` returns to the
/// folder that was opened before. So neither a link nor a renamed folder leads outside. RESOLVE_BENEATH of openat2(2)
/// does the same, but does not tell the path.
private struct WalkBelow {
    /// As many links as the kernel follows.
    private static let maximumLinks = 40

    private let start: Folder
    private var opened: [(folder: Folder, name: String)] = []
    private var fileName = ""

    init(_ start: Folder) { self.start = start }

    var names: [String] { opened.map(\.name) + [fileName] }
    var folders: [FilePermissions] { opened.map(\.folder.permissions) }

    /// Opens the regular file.
    mutating func open(_ path: String) throws(FileSystem.Failure) -> RegularFile {
        var rest = path.split(separator: "/").reversed().map(String.init)
        var links = 0
        while let name = rest.popLast() {
            if name == "." { continue }
            if name == ".." {
                guard opened.popLast() != nil else { throw leaving }
                continue
            }
            let folder = opened.last?.folder ?? start
            let found = try FileSystem.ask { () throws(FileError) in try OpenFile(name, in: folder, for: .place) }
            switch try FileSystem.ask({ () throws(FileError) in try found.status() }).kind {
            case .link:
                links += 1
                guard let target = found.target else { throw FileSystem.Failure(reason: "a link cannot be read") }
                guard links <= Self.maximumLinks else {
                    throw FileSystem.Failure(reason: "too many symbolic links lead to it")
                }
                rest += try inside(target).split(separator: "/").reversed().map(String.init)
            case .folder:
                let child = try FileSystem.ask { () throws(FileError) in try Folder(name, in: folder) }
                opened.append((child, name))
            default:
                guard rest.isEmpty else { throw FileSystem.Failure(reason: "\(name) is no folder") }
                fileName = name
                // Another file may have taken the name in between, so the opened one is checked.
                return try FileSystem.ask { () throws(FileError) in try RegularFile(name, in: folder) }
            }
        }
        throw FileSystem.Failure(reason: "it is no regular file")
    }

    /// The part of a link's target that is looked up next. An absolute target must be below the directory, and is looked up
    /// from there.
    private mutating func inside(_ target: String) throws(FileSystem.Failure) -> Substring {
        guard target.hasPrefix("/") else { return target[...] }
        let folders = [start.path] + (FilePath.real(start.path).map { [$0] } ?? [])
        guard let folder = folders.first(where: { target.hasPrefix("\($0)/") }) else { throw leaving }
        opened = []
        return target.dropFirst(folder.count)
    }

    private var leaving: FileSystem.Failure {
        FileSystem.Failure(reason: "it is a symbolic link that leads out of \(start.path)")
    }
}
