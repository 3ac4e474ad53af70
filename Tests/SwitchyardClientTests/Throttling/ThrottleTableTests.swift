import SwitchyardCrypto
import Testing

@testable import SwitchyardClient

@Suite("A request that has just failed")
struct ThrottleTableTests {
    private let account = AccountKey(homeAccountID: "a", environment: "e")
    private let now = UnixTime(secondsSince1970: 1_000_000)

    private func key(_ number: Int) -> SHA256Digest { SHA256Digest(of: "\(number)") }

    static let patience: [(retryAfter: Int?, seconds: Int64)] = [
        (nil, 60), (7, 7), (0, 0), (3600, 3600), (3601, 3600), (7200, 3600), (.max, 3600), (-5, 0),
    ]

    @Test("waits as long as the server asks, a minute when it does not say, an hour at most", arguments: patience)
    func busy(retryAfter: Int?, seconds: Int64) {
        let table = Held<String>()
        table.note("busy", of: key(1), .serverBusy(retryAfter: retryAfter), account: account, at: now)
        if seconds > 0 { #expect(table.failure(of: key(1), at: now.advanced(bySeconds: seconds - 1)) == "busy") }
        #expect(table.failure(of: key(1), at: now.advanced(bySeconds: seconds)) == nil)
        #expect(table.failure(of: key(2), at: now) == nil)
    }

    @Test("waits two minutes for the person, or until the person came")
    func interaction() {
        let table = Held<String>()
        table.note("ui", of: key(1), .interactionRequired, account: account, at: now)
        #expect(table.failure(of: key(1), at: now.advanced(bySeconds: 119)) == "ui")
        table.interactionSucceeded(for: AccountKey(homeAccountID: "b", environment: "e"))
        #expect(table.failure(of: key(1), at: now) == "ui")
        table.interactionSucceeded(for: account)
        #expect(table.failure(of: key(1), at: now) == nil)
        table.note("ui", of: key(1), .interactionRequired, account: account, at: now)
        #expect(table.failure(of: key(1), at: now.advanced(bySeconds: 120)) == nil)
    }

    @Test("is not held back longer for a sign-in, when it is the server that is busy")
    func signInDoesNotHelpABusyServer() {
        let table = Held<String>()
        table.note("busy", of: key(1), .serverBusy(retryAfter: nil), account: account, at: now)
        table.interactionSucceeded(for: account)
        #expect(table.failure(of: key(1), at: now) == "busy")
    }

    @Test("is one of a thousand that are remembered; the one that was asked for longest ago goes first")
    func bounded() {
        let table = Held<Int>()
        for number in 0..<1000 { table.note(number, of: key(number), .interactionRequired, account: account, at: now) }
        #expect(table.failure(of: key(0), at: now) == 0)
        table.note(1000, of: key(1000), .interactionRequired, account: account, at: now)
        #expect(table.failure(of: key(0), at: now) == 0 && table.failure(of: key(1), at: now) == nil)
        #expect(table.failure(of: key(1000), at: now) == 1000)
    }
}

/// A table in a place of its own: an expectation takes no changing value.
private final class Held<Failure: Sendable> {
    private var table = ThrottleTable<Failure>()

    func failure(of request: SHA256Digest, at now: UnixTime) -> Failure? { table.failure(of: request, at: now) }

    func note(
        _ failure: Failure, of request: SHA256Digest, _ reason: ThrottleTable<Failure>.Reason, account: AccountKey,
        at now: UnixTime
    ) {
        table.note(failure, of: request, reason, account: account, at: now)
    }

    func interactionSucceeded(for account: AccountKey) { table.interactionSucceeded(for: account) }
}
