import Glibc
import SwitchyardFiles
import TestSupport
import Testing

@Suite("Locks") struct LockTests {
    let folder: Folder

    init() throws { folder = try Folder(LastingFolder.make()) }

    private func file() throws(FileError) -> OpenFile { try OpenFile("lock", in: folder, for: .updating) }

    @Test("a lock has one holder, whose name the next one learns")
    func holder() throws {
        let first = try FileLock(file(), holder: "process 7 on host")
        for deadline in [nil, ContinuousClock.now.advanced(by: .milliseconds(20))] {
            let error = #expect(throws: LockError.self) { _ = try FileLock(file(), until: deadline) }
            #expect(error == .held(holder: "process 7 on host"))
        }
        _ = consume first
        _ = try FileLock(file(), holder: "8")
        #expect(SmallFile.text("\(folder.path)/lock") == "8\n")
    }

    @Test("a lock without a name says none, and an unprintable name is cut")
    func names() throws {
        let first = try FileLock(file())
        #expect(#expect(throws: LockError.self) { _ = try FileLock(file()) } == .held(holder: nil))
        try folder.replace("other", with: Array("one\u{1B}two".utf8))
        let second = try FileLock(OpenFile("other", in: folder, for: .updating))
        #expect(
            #expect(throws: LockError.self) { _ = try FileLock(OpenFile("other", in: folder, for: .updating)) }
                == .held(holder: "one"))
        _ = (consume first, consume second)
    }

    @Test("a lock that is given back in time is taken")
    func waiting() throws {
        let first = try FileLock(file())
        let second = try file()
        _ = consume first
        try second.lock(until: ContinuousClock.now.advanced(by: .seconds(60)))
    }

    @Test("a lock ends although a child still has the file open")
    func child() throws {
        let first = try FileLock(file())
        let copy = dup(first.file.descriptor)
        defer { close(copy) }
        _ = consume first
        _ = try FileLock(file())
    }

    @Test("the lock file is made for this user alone, and a link in its place is refused")
    func lockFile() throws {
        _ = try FileLock(file())
        #expect(folder.status(of: "lock")?.permissions.mode == 0o600)
        #expect(unsafe symlink("lock", "\(folder.path)/link") == 0)
        let error = #expect(throws: FileError.self) { _ = try OpenFile("link", in: folder, for: .updating) }
        #expect(error?.code == ELOOP)
    }

    @Test("a record lock is held by another process, whose number the kernel tells")
    func recordLock() throws {
        let file = try file()
        #expect(RecordLock.holder(of: file) == nil)
        // A lock of this process never stands in its own way.
        #expect(RecordLock.take(file))
        #expect(RecordLock.holder(of: file) == nil)
    }
}
