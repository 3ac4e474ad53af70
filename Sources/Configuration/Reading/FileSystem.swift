internal import Glibc
internal import SwitchyardFiles

/// The few questions that a configuration asks of the file system.
enum FileSystem {
    /// A regular file that was read whole, with its status from the kernel.
    struct Contents {
        let bytes: [UInt8]
        let permissions: FilePermissions
        /// Whether the file has another name too, which may be in another user's directory.
        let hasOtherNames: Bool
        /// nil where it does not matter whether it becomes another.
        var mark: FileMark?

        var owner: UInt32 { permissions.owner }
    }

    /// The reason why a file could not be read, in words for an error message.
    struct Failure: Error, Equatable {
        let reason: String
        /// The command that mends it; nil where the caller knows a remedy.
        var remedy: String?
        /// Whether the kernel denied this user the access.
        var isDenied = false
    }

    /// Reads a regular file of at most `maximum` bytes, through links where the path has some.
    static func read(_ path: String, maximum: Int) throws(Failure) -> Contents {
        try contents(of: ask { () throws(FileError) in try RegularFile(path) }, maximum: maximum)
    }

    /// Reads an open file. The status comes from the open file itself, even if its name has changed.
    static func contents(of file: borrowing RegularFile, maximum: Int) throws(Failure) -> Contents {
        do throws(FileError) {
            return Contents(
                bytes: try file.read(maximum: maximum), permissions: file.status.permissions,
                hasOtherNames: file.status.names > 1, mark: FileMark(file.status))
        } catch .tooLarge {
            throw Failure(reason: "it is larger than \(Quantity.spell(size: maximum))")
        } catch {
            throw Failure(error)
        }
    }

    /// Tells an error of the file system in words.
    static func ask<Value: ~Copyable>(_ body: () throws(FileError) -> Value) throws(Failure) -> Value {
        do throws(FileError) {
            return try body()
        } catch {
            throw Failure(error)
        }
    }
}

extension FileSystem.Failure {
    init(_ error: FileError) {
        self.init(reason: error.reason, isDenied: error.code == EACCES)
    }

    /// Refuses a file that other users than its owner can change; nil if only the owner can.
    /// - Parameter change: their power over the file, such as "change it".
    init?(otherWriters permissions: FilePermissions, _ path: String, _ change: String) {
        guard let writers = permissions.otherWriters else { return nil }
        self.init(
            reason: "\(writers) can \(change)",
            remedy: "take that away: chmod \(permissions.revocation) \(ShellWord.quoted(path))")
    }

    /// Refuses a file that neither root nor this user owns; nil for any other.
    init?(foreignOwner permissions: FilePermissions) {
        guard !permissions.isOwnOrRoots else { return nil }
        self.init(reason: "it belongs to another user (\(permissions.owner))")
    }
}
