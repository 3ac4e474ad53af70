internal import Glibc

/// Tells whether a name still stands for the same, unchanged file. Each write makes a new file, and so a new identity.
struct FileIdentity: Equatable, Sendable {
    private let device: UInt64
    private let inode: UInt64
    private let changedSeconds: Int
    private let changedNanoseconds: Int

    init(_ status: stat) {
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
        changedSeconds = status.st_ctim.tv_sec
        changedNanoseconds = status.st_ctim.tv_nsec
    }
}
