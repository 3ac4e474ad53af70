internal import Glibc
internal import SwitchyardFiles

/// The files beside the main one that a configuration was read from, and what they were like then: to find out when one
/// has become another. Safe from any thread.
public struct WatchedFiles: Sendable {
    /// nil for one that could not be read.
    private(set) var marks: [String: FileMark?] = [:]

    public init() {}

    public var paths: Set<String> { Set(marks.keys) }

    mutating func note(_ path: String, _ mark: FileMark?) {
        marks[path] = .some(mark)
    }

    /// The files that have changed. Asks the disk about each.
    public func changed() -> Set<String> {
        Set(marks.filter { path, mark in FileMark(path) != mark }.keys)
    }

    /// These files as they are now, and of `others` those that are not among them. For files that a reading
    /// which failed did not get to.
    public func adding(_ others: WatchedFiles) -> WatchedFiles {
        var sum = self
        for path in others.marks.keys where sum.marks[path] == nil { sum.note(path, FileMark(path)) }
        return sum
    }

    /// The files that are in `paths`, or, with `areIn` false, the others.
    public func only(_ paths: Set<String>, _ areIn: Bool = true) -> WatchedFiles {
        var part = WatchedFiles()
        part.marks = marks.filter { paths.contains($0.key) == areIn }
        return part
    }

    /// The directories that decide where the paths lead: those of the files, of links on the way, and of missing parts.
    public func places() -> Set<String> {
        marks.keys.reduce(into: []) { places, path in Self.addPlaces(of: path, to: &places) }
    }

    private static func addPlaces(of path: String, to places: inout Set<String>) {
        var rest = Array(path.split(separator: "/").reversed())
        var current = path.hasPrefix("/") ? "" : workingDirectory
        // As many links as the kernel follows.
        var links = 40
        while let name = rest.popLast() {
            let next = "\(current)/\(name)"
            guard let status = try? FileStatus(ofLinkAt: next) else { break }
            if status.kind == .link, links > 0 {
                links -= 1
                places.insert(current.isEmpty ? "/" : current)
                guard let target = FilePath.target(ofLink: next) else { return }
                if target.hasPrefix("/") { current = "" }
                rest += target.split(separator: "/").reversed()
            } else if rest.isEmpty, status.kind != .folder {
                break
            } else {
                current = next
            }
        }
        places.insert(current.isEmpty ? "/" : current)
    }

    private static var workingDirectory: String {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        guard let path = unsafe getcwd(&buffer, buffer.count) else { return "" }
        return unsafe String(cString: path)
    }
}

/// The identity of a file, or of a directory of apps, for noticing that it changed or was replaced.
struct FileMark: Hashable, Sendable {
    private let identity: FileStatus.Identity
    private var size = 0
    private var times: [FileStatus.Time] = []
    /// The names of the relevant files of a directory.
    private var names: [String] = []

    /// Identifies an open file.
    init(_ status: FileStatus) {
        identity = status.identity
        size = status.size
        times = [status.written, status.changed]
    }

    /// Identifies a directory: by its names, not by its times.
    init(_ identity: FileStatus.Identity, names: [String]) {
        self.identity = identity
        self.names = names
    }

    /// Identifies the present target of a path; nil if it cannot be inspected.
    fileprivate init?(_ path: String) {
        guard let status = try? FileStatus(at: path) else { return nil }
        guard status.kind == .folder else {
            self.init(status)
            return
        }
        guard let directory = try? OpenDirectory(path), let mark = try? directory.mark() else { return nil }
        self = mark
    }
}

/// Collects the marks while a configuration is read. One reading owns one; it never leaves the thread that reads.
final class ReadFiles {
    private(set) var files = WatchedFiles()
    /// The files that hold secrets.
    private(set) var secrets: Set<String> = []
    /// The last readable version of each file and folder of an agent, also from the earlier configuration.
    var lists: [String: FileLists]
    /// The files of an agent's folders that cannot be read or parsed now.
    var unread: [String: UnreadFile] = [:]
    /// The places of the apps of each file of `apps_directory` among all apps.
    var ranges: [String: Range<Int>] = [:]

    init(lists: [String: FileLists] = [:]) { self.lists = lists }

    /// Forgets the results that depend on the choice of files; the watched files stay.
    func beginAttempt() {
        ranges = [:]
        unread = [:]
    }

    func note(_ path: String, _ mark: FileMark?) { files.note(path, mark) }
    /// Notes the present version of a file that is left out; a changed one is read again.
    func note(leftOut path: String) { files.note(path, FileMark(path)) }
    func note(secret path: String) { secrets.insert(path) }
}
