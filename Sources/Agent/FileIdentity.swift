internal import Glibc
internal import SwitchyardCLinux
internal import SwitchyardFiles

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
    private let pointed: OpenFile
    private let file: sy_file

    /// As in Linux.
    private static let maximumLinks = 40

    /// nil if the file is missing.
    private init?(_ open: () throws(FileError) -> OpenFile) {
        guard let pointed = try? open() else { return nil }
        var file = sy_file()
        guard unsafe sy_look(pointed.descriptor, "", 0, &file) == 0 else { return nil }
        self.pointed = pointed
        self.file = file
    }

    /// The root of a process, by its folder in `/proc`; nil where the kernel does not show it.
    static func root(of process: String) -> FilePointer? {
        FilePointer { () throws(FileError) in try OpenFile("\(process)/root", for: .place) }
    }

    private func child(_ name: String) -> FilePointer? {
        FilePointer { () throws(FileError) in try OpenFile(name, in: pointed, for: .place) }
    }

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
            guard let next = place.child(String(name)) else { return nil }
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
        isRegular ? SmallFile.text("/proc/self/fd/\(pointed.descriptor)", maximum: maximum) : nil
    }

    /// Whether another process holds a lock on it.
    var isLocked: Bool {
        guard isRegular, let file = try? OpenFile("/proc/self/fd/\(pointed.descriptor)", for: .reading) else {
            return false
        }
        return RecordLock.holder(of: file) != nil
    }

    private var target: String? { pointed.target }
}
