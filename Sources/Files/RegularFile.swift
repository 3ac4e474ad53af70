/// An open file that is known to be a plain one, by the kernel's word on the open file itself.
public struct RegularFile: ~Copyable, Sendable {
    public let file: OpenFile
    /// The status at the check.
    public let status: FileStatus

    /// - Throws: ``FileError/notRegular`` for any other kind.
    public init(_ file: consuming OpenFile) throws(FileError) {
        let status = try file.status()
        guard status.kind == .regular else { throw .notRegular }
        self.file = file
        self.status = status
    }

    /// Opens and checks a file by its path.
    public init(_ path: String, followsLink: Bool = true) throws(FileError) {
        try self.init(OpenFile(path, for: .reading, followsLink: followsLink))
    }

    /// Opens and checks a file by its name in an open folder.
    public init(_ name: String, in folder: Folder, followsLink: Bool = false) throws(FileError) {
        try self.init(OpenFile(name, in: folder, for: .reading, followsLink: followsLink))
    }

    /// Reads the whole file.
    /// - Throws: ``FileError/tooLarge`` for more than `maximum` bytes.
    public func read(maximum: Int) throws(FileError) -> [UInt8] {
        guard status.size <= maximum else { throw .tooLarge }
        return try Descriptor.readAll(file.descriptor, maximum: maximum, expected: status.size)
    }

    /// Reads at most the first `maximum` bytes. For files of the kernel, which have no size.
    public func readFirst(_ maximum: Int) throws(FileError) -> [UInt8] {
        try Descriptor.readFirst(file.descriptor, maximum)
    }
}
