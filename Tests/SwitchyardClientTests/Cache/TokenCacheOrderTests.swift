import Testing

@testable import SwitchyardClient

@Suite("Token cache as text") struct TokenCacheOrderTests {
    @Test("leases of one owner are written in one order, however they came")
    func leases() throws {
        let keys = (0..<20).map { AccountKey(homeAccountID: "account-\($0)", environment: "id.example") }
        let lease = RefreshLease(owner: "one", until: Timestamp(secondsSince1970: 30))
        var (forwards, backwards) = (TokenCacheDocument(), TokenCacheDocument())
        for key in keys { forwards.leases[key] = lease }
        for key in keys.reversed() { backwards.leases[key] = lease }
        #expect(forwards.serialized == backwards.serialized)
        #expect(try TokenCacheDocument(serialized: forwards.serialized).serialized == forwards.serialized)
    }
}
