internal import Glibc
internal import SwitchyardFiles

/// A file of a store that another user owns: the gateway refuses it.
public struct ForeignStoreFile: Sendable {
    public let path: String
    /// The file's owner.
    public let owner: UInt32
    /// The owner that the gateway takes.
    public let expected: UInt32
}

extension SQLiteStore {
    /// Finds files of a store that the gateway would refuse because of their owner.
    ///
    /// The caller may be another user than the gateway's: operators call this as root. So the owner of the folder counts
    /// as the gateway's user or, in a folder of root's, the owner of the database.
    /// - Parameters:
    ///   - path: the database.
    ///   - hasOwnKey: whether the key beside the database is used.
    public static func foreignFiles(path: String, hasOwnKey: Bool) -> [ForeignStoreFile] {
        let key = StoreKey.path(beside: path)
        let expected = expectedOwner(path)
        let files = [path, path + ".history"] + (hasOwnKey ? [key] : [])
        return files.compactMap { file in
            guard let owner = try? FileStatus(at: file).owner, owner != expected else { return nil }
            return ForeignStoreFile(path: file, owner: owner, expected: expected)
        }
    }

    private static func expectedOwner(_ path: String) -> UInt32 {
        if let owner = try? FileStatus(at: FilePath.folder(of: path)).owner, owner != 0 { return owner }
        return (try? FileStatus(at: path).owner) ?? geteuid()
    }
}
