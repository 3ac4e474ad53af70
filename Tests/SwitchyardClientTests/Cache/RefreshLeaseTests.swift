import SwitchyardReactor
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
            document.takeLease(of: account, for: owner, at: now.advanced(bySeconds: seconds), seconds: 30)
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
            document.takeLease(
                of: account, for: owner, at: now.advanced(bySeconds: seconds), seconds: 30,
                awake: Instant(nanoseconds: 0) + .seconds(seconds))
        }
        #expect(take(owner, after: 0))
        #expect(!take("two", after: 90_000))
        LivingOwners.remove(owner)
        #expect(take("two", after: 90_000))
    }

    @Test("lasts as long as the machine was awake, for those who see its clock, and for others by the time of day")
    func sleep() throws {
        var document = TokenCacheDocument()
        let begin = Instant(nanoseconds: 5_000_000_000_000)
        func take(_ owner: String, after seconds: Int64, awake: Int64) throws -> Bool {
            // As another process has it.
            document = try TokenCacheDocument(serialized: document.serialized)
            return document.takeLease(
                of: account, for: owner, at: now.advanced(bySeconds: seconds), seconds: 30,
                awake: begin + .seconds(awake))
        }
        #expect(try take(RefreshLease.newOwner(), after: 0, awake: 0))
        #expect(try !take("two", after: 0, awake: 29))
        // It has slept for a day, or its clock was set; its owner goes on where it was.
        #expect(try !take("two", after: 86_400, awake: 29))
        #expect(try !take("two", after: -5000, awake: 29))
        // A clock that began anew cannot be compared.
        #expect(try take("two", after: 0, awake: -4000))
        // An owner elsewhere has another clock.
        #expect(try !take("three", after: 29, awake: 5000))
        #expect(try take("three", after: 31, awake: -4000))
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
        let own = try #require(ProcessIdentity.own)
        #expect(!ProcessIdentity.isGone(own))
        let parts = own.split(separator: ":")
        #expect(ProcessIdentity.isGone("\(parts[0]):\(parts[1]):\(parts[2]):1"))
        #expect(ProcessIdentity.isGone("\(parts[0]):\(parts[1]):4194304:1"))
    }

    @Test("of another machine or container says nothing", arguments: ["", "a", "a:b:c:d", "::1:1", "other:1:999999:1"])
    func unknown(mark: String) {
        #expect(!ProcessIdentity.isGone(mark))
    }
}
