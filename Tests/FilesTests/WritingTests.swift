import Dispatch
import Glibc
import SwitchyardFiles
import TestSupport
import Testing

@Suite("Writing files") struct WritingTests {
    let folder: Folder

    init() throws { folder = try Folder(LastingFolder.make()) }

    private func contents(_ name: String) -> [UInt8]? { SmallFile.bytes("\(folder.path)/\(name)") }

    @Test("a new file takes no name that exists, not even a link's that leads nowhere")
    func exclusive() throws {
        try folder.create("file", with: [1])
        #expect(unsafe symlink("nowhere", "\(folder.path)/link") == 0)
        for name in ["file", "link"] {
            let error = #expect(throws: FileError.self) { try folder.create(name, with: [2]) }
            #expect(error?.code == EEXIST)
        }
        #expect(contents("file") == [1])
        #expect(try folder.names() == ["file", "link"])
    }

    @Test("a replaced file has the new content and mode, and leaves no draft", arguments: [false, true])
    func replacing(isDurable: Bool) throws {
        try folder.create("file", with: [1, 2, 3], mode: .exactly(0o644))
        // As a process leaves it that was killed.
        try folder.create("draft", with: [9, 9, 9])
        try folder.replace("file", with: [4], draft: "draft", mode: .exactly(0o640), isDurable: isDurable)
        #expect(contents("file") == [4])
        #expect(folder.status(of: "file")?.permissions.mode == 0o640)
        #expect(try folder.names() == ["file"])
    }

    @Test("a link in the place of the file or of the draft is replaced, and its target stays")
    func links() throws {
        try folder.create("target", with: [1])
        for name in ["file", "draft"] { #expect(unsafe symlink("target", "\(folder.path)/\(name)") == 0) }
        try folder.replace("file", with: [2], draft: "draft")
        #expect(contents("target") == [1])
        #expect(contents("file") == [2])
        #expect(folder.status(of: "file")?.kind == .regular)
    }

    @Test("an open reader of a replaced file keeps the old content")
    func oldReader() throws {
        try folder.create("file", with: [1])
        let reader = try RegularFile("file", in: folder)
        try folder.replace("file", with: [2])
        #expect(try reader.read(maximum: 10) == [1])
        let isStill = reader.file.isStill(at: "\(folder.path)/file")
        #expect(!isStill)
    }

    @Test("a file that cannot be replaced leaves no draft")
    func failed() throws {
        try folder.makeFolder("file", mode: 0o700)
        let error = #expect(throws: FileError.self) { try folder.replace("file", with: [1]) }
        #expect(error?.code == EISDIR)
        #expect(try folder.names() == ["file"])
    }

    @Test("names are looked up in the open folder, whatever its path leads to by now")
    func movedFolder() throws {
        try Folder.make("\(folder.path)/a", mode: 0o700)
        let moved = try Folder("\(folder.path)/a")
        try folder.rename("a", to: "b")
        try Folder.make("\(folder.path)/a", mode: 0o700)
        try moved.create("file", with: [1])
        #expect(contents("b/file") == [1])
        #expect(contents("a/file") == nil)
    }

    @Test("a folder is made with those above it, and one that exists is no error")
    func folders() throws {
        let path = "\(folder.path)/x/y/z"
        for _ in 0..<2 { try Folder.make(path, mode: 0o700) }
        #expect(try FileStatus(at: path).permissions.mode == 0o700)
        try folder.create("file", with: [])
        let error = #expect(throws: FileError.self) { try Folder.make("\(folder.path)/file/x", mode: 0o700) }
        #expect(error?.code == ENOTDIR)
    }

    @Test("a link to a folder is refused where the caller says so")
    func linkToFolder() throws {
        #expect(unsafe symlink("/tmp", "\(folder.path)/link") == 0)
        #expect(try Folder("\(folder.path)/link").status.kind == .folder)
        let error = #expect(throws: FileError.self) { _ = try Folder("\(folder.path)/link", followsLink: false) }
        #expect(error?.code == ENOTDIR)
    }

    @Test("all bytes go through a socket that takes them in pieces and does not block")
    func shortWrites() throws {
        var ends: [Int32] = [-1, -1]
        // Not open in programs that other tests start meanwhile: they would keep it from ending.
        let type = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        try #require(unsafe socketpair(AF_UNIX, type, 0, &ends) == 0)
        let (reading, writing) = (ends[0], ends[1])
        defer { close(reading) }
        _ = fcntl(writing, F_SETFL, O_NONBLOCK)
        let bytes = (0..<1_000_000).map { UInt8(truncatingIfNeeded: $0) }
        // On a thread of its own: tests beside this one may block the threads of all tasks.
        DispatchQueue.global().async {
            defer { close(writing) }
            try? Descriptor.write(bytes, to: writing)
        }
        #expect(try Descriptor.readAll(reading, maximum: bytes.count) == bytes)
    }
}
