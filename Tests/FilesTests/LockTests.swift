import Glibc
import SwitchyardFiles
import TestSupport
import Testing

@Suite("Locks") struct LockTests {
    let folder: Folder

    init() throws { folder = try Folder(LastingFolder.make()) }

    private func file(_ name: String = "lock") throws(FileError) -> OpenFile {
        try OpenFile(name, in: folder, for: .updating)
    }

    /// The reason why another holder does not get the lock; nil if it does.
    private func refusal(_ name: String = "lock", until deadline: ContinuousClock.Instant? = nil) throws -> LockError? {
        let file = try file(name)
        do throws(LockError) {
            _ = try FileLock(file, until: deadline)
            return nil
        } catch {
            return error
        }
    }

    @Test("a lock has one holder, whose name the next one learns")
    func holder() throws {
        let first = try FileLock(file(), holder: "process 7 on host")
        #expect(try refusal() == .held(holder: "process 7 on host"))
        let deadline = ContinuousClock.now.advanced(by: .milliseconds(20))
        #expect(try refusal(until: deadline) == .held(holder: "process 7 on host"))
        _ = consume first
        _ = try FileLock(file(), holder: "8")
        #expect(SmallFile.text("\(folder.path)/lock") == "8\n")
    }

    @Test("a lock without a name says none, and an unprintable name is cut")
    func names() throws {
        let first = try FileLock(file())
        #expect(try refusal() == .held(holder: nil))
        try folder.create("other", with: Array("one\u{1B}two".utf8))
        let second = try FileLock(file("other"))
        #expect(try refusal("other") == .held(holder: "one"))
        _ = consume first
        _ = consume second
    }

    @Test("a lock ends with its value, although a child still has the file open")
    func child() throws {
        let first = try FileLock(file())
        let copy = dup(first.file.descriptor)
        defer { close(copy) }
        #expect(try refusal() != nil)
        _ = consume first
        #expect(try refusal() == nil)
    }

    @Test("the lock file is made for this user alone, and a link in its place is refused")
    func lockFile() throws {
        _ = try FileLock(file())
        #expect(folder.status(of: "lock")?.permissions.mode == 0o600)
        #expect(unsafe symlink("lock", "\(folder.path)/link") == 0)
        let error = #expect(throws: FileError.self) { _ = try file("link") }
        #expect(error?.code == ELOOP)
    }

    @Test("a file that was replaced is no longer the one at its path")
    func replaced() throws {
        let first = try FileLock(file())
        let path = "\(folder.path)/lock"
        let before = first.file.isStill(at: path)
        try folder.remove("lock")
        let between = first.file.isStill(at: path)
        _ = try FileLock(file())
        let after = first.file.isStill(at: path)
        #expect(before && !between && !after)
    }

    @Test("a record lock of this process does not stand in its own way")
    func recordLock() throws {
        let file = try file()
        let before = RecordLock.holder(of: file)
        let isTaken = RecordLock.take(file)
        let after = RecordLock.holder(of: file)
        #expect(before == nil && isTaken && after == nil)
    }
}
