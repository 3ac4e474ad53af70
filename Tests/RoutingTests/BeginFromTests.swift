import SwitchyardCrypto
import SwitchyardRouting
import Testing

@Suite("Who is permitted") struct BeginFromTests {
    @Test(
        "a key is permitted when its digest is one of the list",
        arguments: [("one", true), ("two", true), ("three", false), ("", false), ("One", false)])
    func keys(key: String, isPermitted: Bool) {
        let beginFrom = BeginFrom(apiKeyHashes: ["one", "two"].map { SHA256Digest(of: $0) })
        #expect(beginFrom.permits(apiKeyHash: SHA256Digest(of: key)) == isPermitted)
    }

    @Test("an empty list permits no caller")
    func empty() throws {
        let beginFrom = BeginFrom()
        #expect(!beginFrom.permits(uid: 0))
        #expect(!beginFrom.permits(try #require(IPAddress("127.0.0.1"))))
        #expect(!beginFrom.permits(apiKeyHash: SHA256Digest(of: "")))
    }
}
