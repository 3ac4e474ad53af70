internal import Glibc

/// The mode of a new file.
public enum NewFileMode: Sendable {
    /// This mode; the umask does not count.
    case exactly(UInt32)
    /// This mode less the umask.
    case atMost(UInt32)
}

extension Folder {
    /// Makes a new file with this content. If that fails, no file is left.
    /// - Parameter isDurable: whether to wait until the content is on the disk.
    /// - Returns: the open file.
    /// - Throws: `EEXIST` for a name that exists, also that of a link.
    @discardableResult
    public func create(
        _ name: String, with bytes: [UInt8], mode: NewFileMode = .exactly(0o600), isDurable: Bool = false
    ) throws(FileError) -> OpenFile {
        let (first, exact): (UInt32, UInt32?) =
            switch mode {
            // The group and other users get their bits only once this mode is certain.
            case .exactly(let mode): (mode & 0o600, mode)
            case .atMost(let mode): (mode, nil)
            }
        let file = try OpenFile(name, in: self, for: .creating(mode: first))
        do throws(FileError) {
            if let exact { try file.setMode(exact) }
            try file.write(bytes)
            if isDurable { try file.sync() }
            return file
        } catch {
            unsafe unlinkat(self.file.descriptor, name, 0)
            throw error
        }
    }

    /// Replaces or makes a file in one step: readers see the old content or the new one.
    /// - Parameters:
    ///   - draft: the name of the file until its content is there; nil for one with this process's number. Callers that give
    ///     the same name hold a lock.
    ///   - isDurable: whether to wait until content and name are on the disk. Then a crash leaves the old file or the new one.
    public func replace(
        _ name: String, with bytes: [UInt8], draft: String? = nil, mode: NewFileMode = .exactly(0o600),
        isDurable: Bool = false
    ) throws(FileError) {
        let draft = draft ?? ".\(name).\(getpid())"
        // Left by a process that was killed.
        try remove(draft)
        try create(draft, with: bytes, mode: mode, isDurable: isDurable)
        do throws(FileError) {
            try rename(draft, to: name)
        } catch {
            unsafe unlinkat(file.descriptor, draft, 0)
            throw error
        }
        if isDurable { try sync() }
    }
}
