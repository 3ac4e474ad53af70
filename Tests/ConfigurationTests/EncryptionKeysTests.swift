import Glibc
import SwitchyardConfiguration
import SwitchyardCrypto
import Testing

@Suite("Encryption keys") struct EncryptionKeysTests {
    private static let digits = String(repeating: "0aF1", count: 16)

    @Test("keys stand in the file or in files, newest first")
    func read() throws {
        let directory = try TemporaryDirectory()
        try directory.write("k2", Self.digits + "\n")
        let other = String(repeating: "00", count: 32)
        let keys = try Sample(more: "encryption_keys: [{ id: k2, key_file: k2 }, { id: k1, key: '\(other)' }]")
            .configuration(in: directory).encryptionKeys
        #expect(keys.map(\.id) == ["k2", "k1"])
        // The key is the bytes that the digits spell.
        let ring = try #require(KeyRing(keys))
        let bytes = (0..<16).flatMap { _ -> [UInt8] in [0x0A, 0xF1] }
        let same = try #require(KeyRing.Key(id: "k2", secret: Secret(bytes)).flatMap { KeyRing([$0]) })
        #expect(try same.open(ring.seal([1, 2, 3], context: "c"), context: "c") == [1, 2, 3])
    }

    @Test(
        "a wrong key is refused, and never shown",
        arguments: [
            ("[{ id: k1 }]", "switchyard keys new"), ("[{ key: '\(digits)' }]", "\"id\" is missing"),
            ("[{ id: k1, key: hunter2 }]", "not 64 hexadecimal digits"),
            ("[{ id: k1, key: '\(digits.dropLast())g' }]", "not 64 hexadecimal digits"),
            ("[{ id: '\(String(repeating: "k", count: 33))', key: '\(digits)' }]", "more than 32 bytes"),
            ("[{ id: k1, key: '\(digits)' }, { id: k1, key: '\(digits)' }]", "a second key"),
        ])
    func refused(keys: String, words: String) {
        let outcome = Sample(more: "encryption_keys: \(keys)").load()
        #expect(outcome.hasOnlyError(containing: words), "\(outcome.errors)")
        #expect(!outcome.errors.contains { $0.contains("hunter2") || $0.contains("0aF1") })
    }

    @Test("a key file that others can change is refused, and named", arguments: [0o602, 0o666])
    func writable(mode: mode_t) throws {
        let directory = try TemporaryDirectory()
        try directory.write("k1", Self.digits + "\n", mode: mode)
        let outcome = Sample(more: "encryption_keys: [{ id: k1, key_file: k1 }]").load(in: directory)
        #expect(outcome.hasOnlyError(containing: "other users can change it"), "\(outcome.errors)")
        #expect(outcome.hasOnlyError(containing: "k1"))
        try directory.write("k1", Self.digits + "\n", mode: 0o640)
        #expect(Sample(more: "encryption_keys: [{ id: k1, key_file: k1 }]").load(in: directory).errors.isEmpty)
    }

    @Test("a key file of another user is refused, and named", .enabled(if: geteuid() == 0))
    func foreign() throws {
        let directory = try TemporaryDirectory()
        try directory.write("k1", Self.digits + "\n")
        #expect(unsafe chown("\(directory.path)/k1", 4711, 4711) == 0)
        let outcome = Sample(more: "encryption_keys: [{ id: k1, key_file: k1 }]").load(in: directory)
        #expect(outcome.hasOnlyError(containing: "it belongs to user 4711"), "\(outcome.errors)")
    }
}
