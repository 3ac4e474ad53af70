import Glibc
import SwitchyardCrypto
import SwitchyardTokenStorage
import Testing

@Suite("Encrypted file") struct EncryptedFileTests {
    let folder = TestFolder()

    @Test("the file has mode 0600, its directory 0700, and nothing of the document is legible")
    func modes() throws {
        try folder.storage().update { $0 = Array("refresh token of a person".utf8) }
        #expect(folder.mode(folder.path("app.sealed")) == 0o600)
        #expect(folder.mode(folder.path("app.lock")) == 0o600)
        #expect(folder.mode(folder.tokens) == 0o700)
        #expect(folder.mode(folder.path + "/state") == 0o700)
        let contents = String(decoding: try #require(folder.contents("app.sealed")), as: UTF8.self)
        #expect(contents.hasPrefix("switchyard tokens 1\n"))
        #expect(!contents.contains("refresh"))
    }

    @Test("reading makes no directory and no file")
    func readingLeavesNoTrace() throws {
        #expect(try folder.storage().read() == nil)
        #expect(unsafe access(folder.tokens, F_OK) != 0)
    }

    @Test("an update without a change writes no file")
    func unchanged() throws {
        let storage = try folder.storage()
        try storage.update { $0 = [1, 2] }
        let before = folder.contents("app.sealed")
        try storage.update { $0 = [1, 2] }
        #expect(folder.contents("app.sealed") == before)
        try storage.update { $0 = [1, 3] }
        #expect(folder.contents("app.sealed") != before)
    }

    @Test("a file open to others is refused", arguments: [0o640, 0o604, 0o620, 0o602, 0o644, 0o666, 0o601] as [mode_t])
    func openFile(mode: mode_t) throws {
        let storage = try folder.storage()
        try storage.update { $0 = [1] }
        unsafe chmod(folder.path("app.sealed"), mode)
        let error = expectError(.denied) { _ = try storage.read() }
        #expect(error?.message.contains(String(mode, radix: 8)) == true)
        #expect(error?.remedy.contains("chmod 600") == true)
        expectError(.denied) { try storage.update { $0 = [2] } }
    }

    @Test("a directory open to others is refused", arguments: [0o750, 0o705, 0o755, 0o777, 0o1777] as [mode_t])
    func openDirectory(mode: mode_t) throws {
        let storage = try folder.storage()
        try storage.update { $0 = [1] }
        unsafe chmod(folder.tokens, mode)
        let error = expectError(.denied) { _ = try storage.read() }
        #expect(error?.remedy.contains("chmod 700") == true)
        expectError(.denied) { try storage.update { $0 = [2] } }
    }

    @Test(
        "a symbolic link in the place of the file, of the lock or of the directory is refused, and what it names stays")
    func links() throws {
        let storage = try folder.storage()
        try storage.update { $0 = [1] }
        for name in ["app.sealed", "app.lock", "app.turn"] {
            unsafe rename(folder.path(name), folder.path("elsewhere"))
            unsafe symlink("elsewhere", folder.path(name))
            let before = folder.contents("elsewhere")
            expectError(.denied, "\(name)") { try storage.update { $0 = [2] } }
            #expect(folder.contents("elsewhere") == before)
            unsafe rename(folder.path("elsewhere"), folder.path(name))
        }
        #expect(try storage.read() == [1])
        unsafe rename(folder.tokens, folder.path + "/state/real")
        unsafe symlink("real", folder.tokens)
        for path in [folder.tokens, folder.tokens + "/", folder.tokens + "//"] {
            let storage = try EncryptedFileStorage(name: "app", key: TestFolder.key, directory: path)
            expectError(.denied, "\(path)") { _ = try storage.read() }
        }
        unsafe unlink(folder.tokens)
        unsafe rename(folder.path + "/state/real", folder.tokens)
    }

    @Test("another user's file or directory is refused", .enabled(if: geteuid() == 0, "only root can give files away"))
    func owners() throws {
        let storage = try folder.storage()
        try storage.update { $0 = [1] }
        for path in [folder.path("app.sealed"), folder.tokens] {
            unsafe chown(path, 12345, 12345)
            let error = expectError(.denied, "\(path)") { _ = try storage.read() }
            #expect(error?.message.contains("12345") == true)
            unsafe chown(path, 0, 0)
        }
        #expect(try storage.read() == [1])
    }

    @Test("a named pipe in the place of the file is refused, and not waited for")
    func pipe() throws {
        let storage = try folder.storage()
        try storage.update { $0 = [1] }
        unsafe unlink(folder.path("app.sealed"))
        unsafe mkfifo(folder.path("app.sealed"), 0o600)
        expectError(.denied) { _ = try storage.read() }
    }

    @Test("a file that is far too large is not read")
    func hugeFile() throws {
        let storage = try folder.storage()
        try storage.update { $0 = [1] }
        unsafe truncate(folder.path("app.sealed"), 1 << 40)
        expectError(.tooLarge) { _ = try storage.read() }
    }

    @Test("a key has 32 bytes, and a directory an absolute path")
    func arguments() {
        for count in [0, 16, 31, 33] {
            expectError(.unavailable, "\(count)") {
                _ = try folder.storage(key: .given(Secret(Random.bytes(count))))
            }
        }
        for path in ["", "tokens", "./tokens", "~/tokens", "/a\0b"] {
            expectError(.unavailable, "\(path)") {
                _ = try EncryptedFileStorage(name: "app", key: TestFolder.key, directory: path)
            }
        }
    }

    @Test("another holder of the lock is waited for, and named in the error when it takes too long")
    func held() throws {
        let storage = try folder.storage()
        try storage.update { $0 = [1] }
        let hasty = try folder.storage(timeout: .milliseconds(50))
        try storage.update { _ in
            let error = expectError(.locked) { try hasty.update { $0 = [2] } }
            #expect(error?.message.contains("app.lock") == true)
        }
        // Reading needs no lock.
        try storage.update { _ in #expect(throws: Never.self) { try hasty.read() } }
        #expect(try hasty.read() == [1])
    }

    @Test("the unfinished file of a killed process is replaced")
    func unfinished() throws {
        let storage = try folder.storage()
        try storage.update { $0 = [1] }
        folder.overwrite("app.unfinished", with: [9, 9, 9])
        #expect(try storage.read() == [1])
        try storage.update { $0 = [2] }
        #expect(try storage.read() == [2])
        #expect(folder.names() == ["app.lock", "app.sealed", "app.turn"])
    }

    @Test("a directory that cannot be made is an error with its path")
    func unmakeable() throws {
        folder.overwriteOutside("file")
        let storage = try EncryptedFileStorage(
            name: "app", key: TestFolder.key, directory: folder.path + "/file/tokens")
        let error = #expect(throws: TokenStorageError.self) { try storage.update { $0 = [1] } }
        #expect(error?.message.contains(folder.path + "/file") == true)
        unsafe unlink(folder.path + "/file")
    }
}
