import SwitchyardTokenStorage
import Testing

@Suite("Names of caches") struct CacheNameTests {
    static let strangeNames: [String] = [
        "", ".", "..", "../app", "a/b", "/etc/passwd", ".hidden", "a\0b", "a b", "a\nb", "ä", "~x",
        "https://client.example/metadata", String(repeating: "n", count: 65), String(repeating: "n", count: 100_000),
    ]

    let folder = TestFolder()

    @Test(
        "a plain name is the file's name",
        arguments: ["app", "com.example.App_1", "00000003-0000-0000-c000-000000000000"])
    func plain(name: String) throws {
        try folder.storage(name).update { $0 = [1] }
        #expect(folder.names() == ["\(name).lock", "\(name).sealed", "\(name).turn"])
    }

    @Test("any other stays in the directory, under a name that no plain one has", arguments: strangeNames)
    func strange(name: String) throws {
        try folder.storage(name).update { $0 = [1] }
        #expect(try folder.storage(name).read() == [1])
        #expect(folder.names().count == 3)
        #expect(folder.names().allSatisfy { $0.hasPrefix("~") && $0.utf8.count < 64 })
    }

    @Test("no two names share a document")
    func distinct() throws {
        let names = Self.strangeNames + ["app", "App", "app.sealed", "app.lock", "app.set-aside-1", "a"]
        for (index, name) in names.enumerated() { try folder.storage(name).update { $0 = [UInt8(index)] } }
        for (index, name) in names.enumerated() { #expect(try folder.storage(name).read() == [UInt8(index)]) }
    }
}
