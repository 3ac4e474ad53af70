import Glibc
import SwitchyardCrypto
import SwitchyardTokenStorage
import Testing

@Suite("A document that cannot be opened") struct CorruptionTests {
    let folder = TestFolder()

    @Test("every flipped byte, and every truncation, is corrupt: never a crash, never another document")
    func damage() throws {
        let storage = try folder.storage()
        try storage.update { $0 = Array("document".utf8) }
        let sealed = try #require(folder.contents("app.sealed"))
        for index in sealed.indices {
            var changed = sealed
            changed[index] ^= 1
            folder.overwrite("app.sealed", with: changed)
            expectError(.corrupt, "byte \(index)") { _ = try storage.read() }
            folder.overwrite("app.sealed", with: Array(sealed[..<index]))
            expectError(.corrupt, "length \(index)") { _ = try storage.read() }
        }
        folder.overwrite("app.sealed", with: sealed + [0])
        expectError(.corrupt) { _ = try storage.read() }
        folder.overwrite("app.sealed", with: sealed)
        #expect(try storage.read() == Array("document".utf8))
    }

    @Test("foreign content is corrupt", arguments: ["{}", "switchyard tokens 2\nx", "switchyard tokens 1\n", "\0\0\0"])
    func foreign(text: String) throws {
        let storage = try folder.storage()
        try storage.update { $0 = [1] }
        folder.overwrite("app.sealed", with: Array(text.utf8))
        expectError(.corrupt) { _ = try storage.read() }
    }

    @Test("another key is corrupt, and the message says that it is the key")
    func wrongKey() throws {
        try folder.storage().update { $0 = [1] }
        let other = try folder.storage(key: .given(Secret(Random.bytes(32))))
        let error = expectError(.corrupt) { _ = try other.read() }
        #expect(error?.message.contains("another key") == true)
        expectError(.corrupt) { try other.update { $0 = [2] } }
        #expect(try folder.storage().read() == [1])
    }

    @Test("the file of another cache under this one's name is corrupt")
    func renamed() throws {
        try folder.storage("one").update { $0 = [1] }
        try folder.storage("two").update { $0 = [2] }
        unsafe rename(folder.path("one.sealed"), folder.path("two.sealed"))
        expectError(.corrupt) { _ = try folder.storage("two").read() }
    }

    @Test("an update of a corrupt document is refused, is never asked for its change, and leaves the file")
    func update() throws {
        let storage = try folder.storage()
        try storage.update { $0 = [1] }
        folder.overwrite("app.sealed", with: [1, 2, 3])
        expectError(.corrupt) {
            try storage.update { _ in _ = Issue.record("there is nothing to change") }
        }
        #expect(folder.contents("app.sealed") == [1, 2, 3])
    }

    @Test("a document that is set aside stays unchanged, beside earlier ones")
    func kept() throws {
        let storage = try folder.storage()
        for round in 1...5 as ClosedRange<UInt8> {
            try storage.update { $0 = [1] }
            folder.overwrite("app.sealed", with: [round, round])
            expectError(.corrupt) { _ = try storage.read() }
            try storage.setAside()
            #expect(try storage.read() == nil)
        }
        let kept = folder.setAsideNames().compactMap { folder.contents($0)?.first }.sorted()
        #expect(kept == [1, 2, 3, 4, 5])
    }

    @Test("a file that may not be opened can be set aside: a symbolic link goes, and its target stays")
    func link() throws {
        let storage = try folder.storage()
        try storage.update { $0 = [1] }
        unsafe rename(folder.path("app.sealed"), folder.path("elsewhere"))
        unsafe symlink("elsewhere", folder.path("app.sealed"))
        expectError(.denied) { _ = try storage.read() }
        try storage.setAside()
        #expect(try storage.read() == nil)
        #expect(folder.setAsideNames().count == 1)
        #expect(folder.names().contains("elsewhere"))
    }

    @Test("a document that somebody else has put there since is not set aside")
    func newer() throws {
        let slow = try folder.storage()
        let quick = try folder.storage()
        try slow.update { $0 = [1] }
        folder.overwrite("app.sealed", with: [0])
        for storage in [slow, quick] { expectError(.corrupt) { _ = try storage.read() } }
        try quick.setAside()
        try slow.setAside()
        try quick.update { $0 = [2] }
        try slow.setAside()
        #expect(try slow.read() == [2])
        #expect(folder.setAsideNames().count == 1)
    }
}
