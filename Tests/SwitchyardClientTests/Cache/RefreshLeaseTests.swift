import Testing

@testable import SwitchyardClient

@Suite("The right to refresh")
struct RefreshLeaseTests {
    private let account = AccountKey(homeAccountID: "a", environment: "id.example")
    private let now = UnixTime(secondsSince1970: 1_000_000)

    @Test("is given to one at a time, and taken back from who is gone")
    func leases() {
        var document = TokenCacheDocument()
        func take(_ owner: String, after seconds: Int64 = 0) -> Bool {
            document.takeLease(
                of: account, for: owner, at: now.advanced(bySeconds: seconds),
                until: now.advanced(bySeconds: seconds + 30))
        }
        #expect(take("one"))
        #expect(!take("two"))
        #expect(take("one"))
        document.endLease(of: account, for: "two")
        #expect(!take("two"))
        #expect(take("two", after: 31))
        // From before the clock was set back.
        #expect(take("three", after: -5000))
    }

    @Test("is not taken from a caller of this process that is at work, whatever the clock says")
    func living() {
        var document = TokenCacheDocument()
        let owner = RefreshLease.newOwner()
        LivingOwners.insert(owner)
        func take(_ owner: String, after seconds: Int64) -> Bool {
            let time = now.advanced(bySeconds: seconds)
            return document.takeLease(of: account, for: owner, at: time, until: time.advanced(bySeconds: 30))
        }
        #expect(take(owner, after: 0))
        #expect(!take("two", after: 90_000))
        LivingOwners.remove(owner)
        #expect(take("two", after: 90_000))
    }

    @Test("of one owner for many accounts is written in one order, however it came")
    func order() throws {
        let keys = (0..<20).map { AccountKey(homeAccountID: "account-\($0)", environment: "id.example") }
        let lease = RefreshLease(owner: "one", until: UnixTime(secondsSince1970: 30))
        var (forwards, backwards) = (TokenCacheDocument(), TokenCacheDocument())
        for key in keys { forwards.leases[key] = lease }
        for key in keys.reversed() { backwards.leases[key] = lease }
        #expect(forwards.serialized == backwards.serialized)
        #expect(try TokenCacheDocument(serialized: forwards.serialized).serialized == forwards.serialized)
    }
}

@Suite("A process's mark")
struct ProcessMarkTests {
    @Test("is not gone as long as the process is there, and is when its number is another's")
    func here() throws {
        let own = try #require(ProcessMark.own)
        #expect(!ProcessMark.isGone(own))
        let parts = own.split(separator: ":")
        #expect(ProcessMark.isGone("\(parts[0]):\(parts[1]):\(parts[2]):1"))
        #expect(ProcessMark.isGone("\(parts[0]):\(parts[1]):4194304:1"))
    }

    @Test("of another machine or container says nothing", arguments: ["", "a", "a:b:c:d", "::1:1", "other:1:999999:1"])
    func unknown(mark: String) {
        #expect(!ProcessMark.isGone(mark))
    }
}
