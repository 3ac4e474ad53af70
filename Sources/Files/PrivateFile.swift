internal import Glibc

/// The reason why a file or folder is not this user's alone.
public enum PrivacyError: Error, Equatable, Sendable {
    /// Another user owns it, and so can read and replace it with any mode.
    case foreignOwner(UInt32)
    /// Its mode lets others read or change it.
    case open(FilePermissions)
    /// It is of another kind, such as a folder in the place of a file.
    case otherKind
    case failed(FileError)
}

extension FileStatus {
    /// Refuses a file or folder that is not this user's alone.
    public func checkPrivate(_ kind: Kind) throws(PrivacyError) {
        guard self.kind == kind else { throw .otherKind }
        guard permissions.isOwn else { throw .foreignOwner(owner) }
        guard permissions.isForOwnerAlone else { throw .open(permissions) }
    }
}

/// An open plain file that only this user may open.
public struct PrivateFile: ~Copyable, Sendable {
    public let file: OpenFile
    public let status: FileStatus

    public init(_ file: consuming OpenFile) throws(PrivacyError) {
        let status: FileStatus
        do throws(FileError) {
            status = try file.status()
        } catch {
            throw .failed(error)
        }
        try status.checkPrivate(.regular)
        self.file = file
        self.status = status
    }

    /// Reads the whole file.
    /// - Throws: ``FileError/tooLarge`` for more than `maximum` bytes.
    public func read(maximum: Int) throws(FileError) -> [UInt8] {
        try Descriptor.readAll(file.descriptor, maximum: maximum, expected: min(status.size, maximum))
    }

    /// Waits for the lock of the file.
    /// - Parameter deadline: nil to try only once.
    public consuming func lock(until deadline: ContinuousClock.Instant? = nil) throws(LockError) -> FileLock {
        try FileLock(file, until: deadline)
    }
}

/// A folder that only this user may open.
public struct PrivateFolder: Sendable {
    public let folder: Folder

    public init(_ folder: Folder) throws(PrivacyError) {
        try folder.status.checkPrivate(.folder)
        self.folder = folder
    }
}
