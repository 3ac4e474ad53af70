import Glibc
import SwitchyardFiles
import TestSupport
import Testing

@Suite("Reading files") struct ReadingTests {
    let folder: Folder
    var path: String { folder.path }

    init() throws { folder = try Folder(LastingFolder.make()) }

    @Test("a file is read whole up to the bound, and refused beyond", arguments: [0, 1, 4095, 4096, 4097, 100_000])
    func bounds(size: Int) throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
        try folder.create("file", with: bytes)
        #expect(try RegularFile("file", in: folder).read(maximum: size) == bytes)
        #expect(try RegularFile("file", in: folder).readFirst(size) == bytes)
        #expect(try RegularFile("\(path)/file").readFirst(max(0, size - 1)) == Array(bytes.dropLast()))
        if size > 0 {
            let error = #expect(throws: FileError.self) { try RegularFile("file", in: folder).read(maximum: size - 1) }
            #expect(error == .tooLarge)
        }
    }

    @Test("a file that grows beyond the bound after it was opened is refused")
    func grown() throws {
        try folder.create("file", with: [1, 2])
        let file = try RegularFile("file", in: folder)
        let other = unsafe open("\(path)/file", O_WRONLY | O_APPEND)
        try Descriptor.write([3, 4, 5], to: other)
        close(other)
        let error: FileError?
        do throws(FileError) {
            _ = try file.read(maximum: 4)
            error = nil
        } catch let caught {
            error = caught
        }
        #expect(error == .tooLarge)
    }

    @Test("files of the kernel, which have no size, are read whole")
    func kernelFiles() throws {
        #expect(SmallFile.text("/proc/self/comm")?.isEmpty == false)
        let maps = try #require(SmallFile.bytes("/proc/self/maps", maximum: 1 << 20))
        #expect(maps.count > 4096 && maps.last == UInt8(ascii: "\n"))
        #expect(SmallFile.bytes("/proc/self/maps", maximum: 10)?.count == 10)
        #expect(SmallFile.text("/proc/self/no-such-file") == nil)
    }

    @Test("a folder, a pipe and a device are no regular files, and a pipe is not waited for")
    func otherKinds() throws {
        #expect(unsafe mkfifo("\(path)/pipe", 0o600) == 0)
        for place in [path, "\(path)/pipe", "/dev/null"] {
            let error = #expect(throws: FileError.self) { _ = try RegularFile(place) }
            #expect(error == .notRegular, "\(place)")
        }
    }

    @Test("a link is followed only where the caller says so")
    func links() throws {
        try folder.create("file", with: [7])
        #expect(unsafe symlink("file", "\(path)/link") == 0)
        #expect(try RegularFile("\(path)/link").read(maximum: 1) == [7])
        #expect(try RegularFile("link", in: folder, followsLink: true).read(maximum: 1) == [7])
        for refused in [
            { _ = try RegularFile("link", in: folder) }, { _ = try RegularFile("\(path)/link", followsLink: false) },
        ] {
            let error = #expect(throws: FileError.self, performing: refused)
            #expect(error?.code == ELOOP)
        }
        #expect(FilePath.target(ofLink: "\(path)/link") == "file")
        #expect(FilePath.target(ofLink: "\(path)/file") == nil)
        let place = try OpenFile("link", in: folder, for: .place)
        #expect(place.target == "file")
    }

    @Test("a program that is begun gets none of the open files")
    func closedOnExec() throws {
        try folder.create("file", with: [])
        func flags(_ file: borrowing OpenFile) -> Int32 { fcntl(file.descriptor, F_GETFD) }
        let all = [
            flags(try OpenFile("file", in: folder, for: .reading)),
            flags(try OpenFile("lock", in: folder, for: .updating)),
            flags(try OpenFile("new", in: folder, for: .creating(mode: 0o600))),
            flags(try OpenFile(path, for: .folder)),
            flags(try OpenFile(path, for: .place)),
            flags(try OpenFile("/dev/null", for: .device)),
            flags(try OpenFile("/dev/null", for: .readingAnyKind)),
        ]
        #expect(all.allSatisfy { $0 & FD_CLOEXEC != 0 })
    }

    @Test("the status names the kind, and two names of a file have one identity")
    func status() throws {
        try folder.create("file", with: [1, 2, 3], mode: .exactly(0o640))
        try folder.link("file", as: "other")
        let status = try FileStatus(at: "\(path)/file")
        #expect(status.kind == .regular && status.size == 3 && status.names == 2)
        #expect(status.permissions.mode == 0o640 && status.permissions.isOwn)
        #expect(folder.status(of: "other")?.identity == status.identity)
        #expect(folder.status.kind == .folder)
        #expect(folder.status(of: "nothing") == nil)
        #expect(unsafe symlink("/nowhere", "\(path)/dangling") == 0)
        #expect(folder.status(of: "dangling")?.kind == .link)
        #expect(!FilePath.exists("\(path)/dangling"))
        #expect(try folder.names() == ["dangling", "file", "other"])
    }
}

@Suite("Paths of files") struct FilePathTests {
    @Test(
        "the folder and the name are the two sides of the last slash",
        arguments: [
            ("/a/b", "/a/", "b"), ("/a", "/", "a"), ("a", "./", "a"), ("a/b/", "a/b/", ""), ("./a", "./", "a"),
        ])
    func parts(path: String, folder: String, name: String) {
        #expect(FilePath.folder(of: path) == folder)
        #expect(FilePath.name(of: path) == name)
    }
}
