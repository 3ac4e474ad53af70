import SwitchyardCLinux
import SwitchyardCrypto
import SwitchyardTokenStorage
import Testing

/// A container may forbid it; then these tests do not apply.
let kernelKeyringIsUsable: Bool = {
    defer { sy_keys_release() }
    return sy_keys_hold() == 0
}()

@Suite("Key in the kernel keyring", .enabled(if: kernelKeyringIsUsable, "the kernel keyring is forbidden here"))
struct KernelKeyringTests {
    let folder = TestFolder()

    @Test("all storages of the user find the key")
    func shared() throws {
        try folder.storage(key: .kernelKeyring).update { $0 = [1] }
        #expect(try folder.storage(key: .kernelKeyring).read() == [1])
    }

    @Test("each cache and each directory has a key of its own")
    func separate() throws {
        let other = TestFolder()
        try folder.storage(key: .kernelKeyring).update { $0 = [1] }
        try other.storage(key: .kernelKeyring).update { $0 = [1] }
        other.overwrite("app.sealed", with: try #require(folder.contents("app.sealed")))
        let error = expectError(.corrupt) { _ = try other.storage(key: .kernelKeyring).read() }
        #expect(error?.message.contains("another key") == true)
    }

    @Test("a key that is gone, as after a restart, is corrupt and says why; after setting aside all goes on")
    func gone() throws {
        let storage = try folder.storage(key: .kernelKeyring)
        try storage.update { $0 = [1] }
        #expect(folder.forgetKernelKey())
        let error = expectError(.corrupt) { _ = try storage.read() }
        #expect(error?.message.contains("gone from the kernel") == true)
        expectError(.corrupt) { try storage.update { $0 = [2] } }
        try storage.setAside()
        try storage.update { $0 = [3] }
        #expect(try storage.read() == [3])
        #expect(folder.setAsideNames().count == 1)
    }

    @Test("a key that only another place can see is no reason to set anything aside", arguments: [0, 2])
    func elsewhere(word: Int) throws {
        let storage = try folder.storage(key: .kernelKeyring)
        try storage.update { $0 = [1] }
        // Another user namespace of this run of the machine; another run of another machine.
        changeHead { $0[3 + word] = "other" }
        if word == 0 { changeHead { $0[4] = "other" } }
        #expect(try storage.read() == [1])
        let sealed = try #require(folder.contents("app.sealed"))
        #expect(folder.forgetKernelKey())
        let error = expectError(.unavailable) { _ = try storage.read() }
        #expect(error?.message.contains("another machine or user namespace") == true)
        expectError(.unavailable) { try storage.update { $0 = [2] } }
        #expect(folder.contents("app.sealed") == sealed)
    }

    @Test("another key of the same name, made elsewhere, is no reason either")
    func twoPlaces() throws {
        let storage = try folder.storage(key: .kernelKeyring)
        try storage.update { $0 = [1] }
        let sealed = try #require(folder.contents("app.sealed"))
        #expect(folder.forgetKernelKey())
        expectError(.corrupt) { _ = try storage.read() }
        try storage.setAside()
        try storage.update { $0 = [2] }
        folder.overwrite("app.sealed", with: sealed)
        expectError(.corrupt) { _ = try storage.read() }
        changeHead { $0[5] = "other" }
        expectError(.unavailable) { _ = try storage.read() }
    }

    @Test("after a restart of the same machine a key is gone, wherever it was")
    func restarted() throws {
        let storage = try folder.storage(key: .kernelKeyring)
        try storage.update { $0 = [1] }
        changeHead { ($0[4], $0[5]) = ("other", "other") }
        #expect(folder.forgetKernelKey())
        expectError(.corrupt) { _ = try storage.read() }
    }

    @Test("a file that does not say where its key is opens as before")
    func withoutHome() throws {
        let storage = try folder.storage(key: .kernelKeyring)
        try storage.update { $0 = [1] }
        changeHead { $0.removeSubrange(3...) }
        #expect(try storage.read() == [1])
        #expect(folder.forgetKernelKey())
        expectError(.corrupt) { _ = try storage.read() }
    }

    private func changeHead(_ change: (inout [String]) -> Void) {
        guard let bytes = folder.contents("app.sealed"), let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else {
            Issue.record("no sealed file")
            return
        }
        var words = String(decoding: bytes[..<end], as: UTF8.self).split(separator: " ").map(String.init)
        #expect(words.count >= 3)
        change(&words)
        folder.overwrite("app.sealed", with: Array(words.joined(separator: " ").utf8) + bytes[end...])
    }

    @Test("many threads that begin at once make one key")
    func oneKey() async throws {
        let storages = try (0..<8).map { _ in try folder.storage(key: .kernelKeyring) }
        await withTaskGroup(of: Void.self) { group in
            for storage in storages {
                group.addTask {
                    let problem = await offPool { try storage.update { $0 = ($0 ?? []) + [1] } }
                    #expect(problem == nil)
                }
            }
        }
        #expect(try storages[0].read()?.count == 8)
    }
}
