internal import Glibc
internal import SwitchyardFiles

/// A folder of this user. Its files are read and replaced by their bare names, relative to the open folder. Links in
/// place of a file are not followed, and other programs never see half a file.
final class GuardedFolder {
    struct Problem: Error, CustomStringConvertible {
        let description: String
    }

    private let folder: Folder

    var path: String { folder.path }

    /// The largest file that counts; a desktop's files are smaller.
    private static let maximumSize = 8 << 20

    /// Opens the folder.
    /// - Returns: nil for a missing folder.
    static func open(_ path: String) throws(Problem) -> GuardedFolder? {
        let folder: Folder
        do throws(FileError) {
            folder = try Folder(path)
        } catch {
            if error.isMissing { return nil }
            throw failure(path, "cannot be opened", error)
        }
        guard folder.permissions.isOwn else {
            throw Problem(
                description:
                    "\(path) belongs to another user; as that user, run this again (HOME and XDG_* say whose it is)")
        }
        if let writers = folder.permissions.otherWriters {
            throw Problem(description: "\(writers) can put files into \(path); chmod go-w \(path)")
        }
        return GuardedFolder(folder)
    }

    /// Opens the folder, made where it is missing.
    /// - Returns: how many folders were made, this one and those above it.
    static func make(_ path: String) throws(Problem) -> (folder: GuardedFolder, made: Int) {
        if let folder = try open(path) { return (folder, 0) }
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
            throw Problem(description: "\(path) cannot be made")
        }
        let (parent, made) = try make(String(path[..<slash]))
        do throws(FileError) {
            try parent.folder.makeFolder(FilePath.name(of: path), mode: 0o755)
        } catch {
            guard error.code == EEXIST else { throw failure(path, "cannot be made", error) }
        }
        guard let folder = try open(path) else { throw failure(path, "cannot be opened", .system(ENOENT)) }
        return (folder, made + 1)
    }

    private init(_ folder: Folder) {
        self.folder = folder
    }

    /// The text of a file, also through a link; nil for a missing file.
    func read(_ name: String) throws(Problem) -> String? {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try RegularFile(name, in: folder, followsLink: true).read(maximum: Self.maximumSize)
        } catch {
            switch error {
            case .system where error.isMissing: return nil
            case .system: throw Self.failure("\(path)/\(name)", "cannot be read", error)
            case .notRegular, .tooLarge:
                throw Problem(description: "\(path)/\(name) is no plain file of moderate size")
            }
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Problem(description: "\(path)/\(name) cannot be read as text")
        }
        return text
    }

    /// Replaces or creates a file, in one step. A file with the same text stays as it is.
    func write(_ text: String, to name: String) throws(Problem) {
        if !isLink(name), let old = try? read(name), old == text { return }
        // The file's mode stays as the person has set it.
        let old = folder.status(of: name, followsLink: true)
        let mode = old?.kind == .regular ? old.map { $0.permissions.mode & 0o777 } : nil
        do throws(FileError) {
            try folder.replace(name, with: Array(text.utf8), mode: .exactly(mode ?? 0o644), isDurable: true)
        } catch {
            throw Self.failure("\(path)/\(name)", "cannot be written", error)
        }
    }

    /// The folder and name where a change to this file takes effect: the target of a person's own link, else here.
    func place(of name: String) throws(Problem) -> (folder: GuardedFolder, name: String) {
        guard isLink(name) else { return (self, name) }
        let target = try LinkTarget(of: "\(path)/\(name)")
        return (target.folder, target.name)
    }

    func remove(_ name: String) throws(Problem) {
        do throws(FileError) {
            try folder.remove(name)
        } catch {
            throw Self.failure("\(path)/\(name)", "cannot be removed", error)
        }
    }

    func has(_ name: String) -> Bool { folder.status(of: name) != nil }

    func isLink(_ name: String) -> Bool { folder.status(of: name)?.kind == .link }

    /// Removes empty folders: this one, and as many above it as `count` says.
    static func removeEmpty(_ path: String, _ count: Int) {
        var path = path
        for _ in 0..<min(count, 8) {
            guard unsafe rmdir(path) == 0, let slash = path.lastIndex(of: "/") else { return }
            path = String(path[..<slash])
        }
    }

    static func failure(_ path: String, _ what: String, _ error: FileError) -> Problem {
        Problem(description: "\(path) \(what): \(error.reason)")
    }
}
