import SwitchyardCrypto
import SwitchyardOAuth
import SwitchyardReactor
import Testing

@testable import SwitchyardClient

/// A request with a redirect URI of its own, such as a loopback address, in an application that has another.
@Suite("Callbacks after their request") struct ResponseMemoryTests {
    private let now = Instant(nanoseconds: 1)
    private let loopback = "http://127.0.0.1:8/back"

    @Test("a callback that comes again at a request's own redirect URI was consumed, and is not somebody else's")
    func again() throws {
        var table = try table()
        let callback = try CallbackAddress(relayed: "\(loopback)?code=c&state=s")
        guard case .claimed = table.judge(callback, at: now) else {
            Issue.record("it was not claimed")
            return
        }
        #expect(try outcome("\(loopback)?code=c&state=s", &table) == .alreadyConsumed)
        #expect(try outcome("\(loopback)?code=c&state=t", &table) == .noPendingRequest)
        #expect(try outcome("https://app.example/auth?code=c&state=s", &table) == .noPendingRequest)
    }

    @Test("a callback that comes too late at a request's own redirect URI has expired")
    func late() throws {
        var table = try table()
        table.end(Secret("s"), at: now)
        #expect(try outcome("\(loopback)?code=c&state=s", &table) == .expired)
    }

    @Test("once its state is forgotten, a request's own redirect URI is nobody's")
    func forgotten() throws {
        var table = try table()
        table.end(Secret("s"), at: now)
        #expect(try outcome("\(loopback)?code=c&state=s", &table, at: now + .seconds(601)) == .notMine)
    }

    private func table() throws -> ResponseTable {
        var table = ResponseTable(ownForm: try CallbackAddress(relayed: "https://app.example/auth").form)
        table.begin(
            Secret("s"), form: try CallbackAddress(relayed: loopback).form, ResponseTable.Waiting(isSignedIn: Promise())
        )
        table.expect(
            IssuerIdentification(expected: .exactly("https://id.example"), isRequired: false), for: Secret("s"))
        return table
    }

    private func outcome(
        _ text: String, _ table: inout ResponseTable, at time: Instant? = nil
    ) throws -> ResponseOutcome? {
        if case .refused(let outcome) = table.judge(try CallbackAddress(relayed: text), at: time ?? now) {
            outcome
        } else {
            nil
        }
    }
}
