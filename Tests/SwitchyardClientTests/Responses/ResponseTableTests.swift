import SwitchyardCrypto
import SwitchyardOAuth
import SwitchyardReactor
import Testing

@testable import SwitchyardClient

@Suite("The requests that wait for a callback")
struct ResponseTableTests {
    private static let uri = "msauth.com.contoso.mail://auth"
    private let now = Instant.now()

    private func form(_ text: String = uri) throws -> RedirectURI.Form { try RedirectURI(text).form }

    private func waiting(_ states: [String], requiresIssuer: Bool = false) throws -> ResponseTable {
        var table = ResponseTable(ownForm: try form())
        for state in states {
            table.begin(Secret(state), form: try form(), ResponseTable.Waiting(isSignedIn: Promise()))
            table.expect(
                IssuerIdentification(expected: .exactly("https://id.example"), isRequired: requiresIssuer),
                for: Secret(state))
        }
        return table
    }

    private func judge(_ table: inout ResponseTable, _ url: String, at later: Duration = .zero) throws -> String {
        switch table.judge(try CallbackAddress(relayed: url), at: now + later) {
        case .claimed: "claimed"
        case .held: "held"
        case .refused(let outcome): outcome.name.rawValue
        }
    }

    static let callbacks: [(url: String, outcome: String)] = [
        ("other://auth?code=c&state=one", "not_mine"), ("\(uri)/path?code=c&state=one", "not_mine"),
        ("msauth.com.contoso.mail://auth2?code=c&state=one", "not_mine"),
        ("\(uri)?code=c&state=two", "state_mismatch"), ("\(uri)?code=c", "state_mismatch"),
        ("\(uri)?code=c&state=", "state_mismatch"), ("\(uri)?state=one", "malformed"),
        ("\(uri)?code=&state=one", "malformed"), ("\(uri)?code=c&error=e&state=one", "malformed"),
        ("\(uri)?code=c&code=d&state=one", "malformed"), ("\(uri)?code=c&state=one&state=one", "malformed"),
        ("\(uri)?code=c&state=one&iss=https://evil.example", "malformed"), ("\(uri)?code=%zz&state=one", "malformed"),
        ("MSAUTH.com.contoso.mail://auth?code=c&state=one", "claimed"), ("\(uri)?code=c&state=one#_=_", "claimed"),
        ("\(uri)?code=c&state=one&iss=https://id.example", "claimed"),
        ("\(uri)?error=access_denied&state=one", "claimed"),
    ]

    @Test("end their wait only by their own callback, and wait on otherwise", arguments: callbacks)
    func judged(url: String, outcome: String) throws {
        var table = try waiting(["one"])
        #expect(try judge(&table, url) == outcome)
        #expect(
            try judge(&table, "\(Self.uri)?code=c&state=one") == (outcome == "claimed" ? "already_consumed" : "claimed")
        )
    }

    @Test("refuse a response without iss where the issuer always sends it")
    func missingIssuer() throws {
        var table = try waiting(["one"], requiresIssuer: true)
        #expect(try judge(&table, "\(Self.uri)?code=c&state=one") == "malformed")
        #expect(try judge(&table, "\(Self.uri)?code=c&state=one&iss=https://id.example") == "claimed")
    }

    @Test("hold a callback that comes while the issuer is looked up")
    func held() async throws {
        var table = ResponseTable(ownForm: try form())
        table.begin(Secret("one"), form: try form(), ResponseTable.Waiting(isSignedIn: Promise()))
        guard case .held(let ready) = table.judge(try CallbackAddress(relayed: "\(Self.uri)?code=c&state=one"), at: now)
        else {
            Issue.record("it was not held")
            return
        }
        table.expect(
            IssuerIdentification(expected: .exactly("https://id.example"), isRequired: false), for: Secret("one")
        )
        await ready.value
        #expect(try judge(&table, "\(Self.uri)?code=c&state=one") == "claimed")
    }

    @Test("let a held callback go when they end without it")
    func heldThenOver() async throws {
        let router = ResponseRouter(ownForm: try form())
        _ = router.begin(Secret("one"), form: try form(), isSignedIn: Promise())
        async let outcome = router.accept("\(Self.uri)?code=c&state=one")
        router.end(Secret("one"))
        #expect(await outcome == .expired)
    }

    @Test("are told apart by state, and say expired once they are over")
    func several() throws {
        var table = try waiting(["one", "two", "three"])
        table.end(Secret("two"), at: now)
        #expect(try judge(&table, "\(Self.uri)?code=c&state=two") == "expired")
        #expect(try judge(&table, "\(Self.uri)?code=c&state=three") == "claimed")
        #expect(try judge(&table, "\(Self.uri)?code=c&state=one") == "claimed")
        #expect(try judge(&table, "\(Self.uri)?code=c&state=one", at: .seconds(700)) == "no_pending_request")
    }

    @Test("of another redirect URI are not reached by their state")
    func otherForm() throws {
        var table = try waiting(["one"])
        table.begin(
            Secret("two"), form: try form("http://127.0.0.1/callback"), ResponseTable.Waiting(isSignedIn: Promise()))
        table.expect(
            IssuerIdentification(expected: .exactly("https://id.example"), isRequired: false), for: Secret("two")
        )
        #expect(try judge(&table, "\(Self.uri)?code=c&state=two") == "state_mismatch")
        #expect(try judge(&table, "http://127.0.0.1:4711/callback?code=c&state=two") == "claimed")
    }

    @Test("are remembered within bounds")
    func bounded() throws {
        var table = try waiting([])
        for number in 0..<3000 {
            table.begin(Secret("state \(number)"), form: try form(), ResponseTable.Waiting(isSignedIn: Promise()))
            table.end(Secret("state \(number)"), at: now + .milliseconds(number))
        }
        #expect(try judge(&table, "\(Self.uri)?code=c&state=state%202999", at: .seconds(4)) == "expired")
        #expect(try judge(&table, "\(Self.uri)?code=c&state=state%200", at: .seconds(4)) == "no_pending_request")
    }
}
