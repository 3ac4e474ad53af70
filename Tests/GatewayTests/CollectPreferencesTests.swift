import SwitchyardGatewayClient
import SwitchyardHTTP
import Testing

@testable import SwitchyardGateway

@Suite("Collect preferences") struct CollectPreferencesTests {
    private func preferences(_ target: String = "/v1/requests/id", _ lines: [String] = []) throws -> CollectPreferences
    {
        CollectPreferences(try .sample(target, lines))
    }

    @Test(
        "an app waits as long as it prefers, at most 60 s",
        arguments: [
            (["wait=5"], 5), (["Wait=5"], 5), (["wait=\"5\""], 5), (["wait = 5"], 5), (["wait=007"], 7),
            (["wait=60"], 60), (["wait=61"], 60), (["wait=86400"], 60), (["wait=9223372036854775807"], 60),
            // Among other preferences (RFC 7240 section 2), and with parameters.
            (["respond-async, wait=10"], 10), (["wait=10,respond-async"], 10), (["respond-async", "wait=7"], 7),
            (["wait=10; foo=bar"], 10), (["foo; wait=3, wait=10"], 10),
            // The first of several counts.
            (["wait=5, wait=9"], 5), (["wait=5", "wait=9"], 5),
        ])
    func wait(values: [String], seconds: Int) throws {
        #expect(try preferences("/", values.map { "Prefer: \($0)" }).wait == .seconds(seconds))
    }

    @Test(
        "without a preference that can be read it does not wait",
        arguments: [
            "", "wait", "wait=", "wait=0", "wait=-1", "wait=x", "wait=1.5", "wait=5s", "wait=0x5", "wait=1e1", "wait=٥",
            "await=5", "waiting=5", "wait5", "wait:5", "=5", ",;=,", "return=minimal", "foo; wait=5", "wait==5",
        ])
    func noWait(value: String) throws {
        #expect(try preferences("/", ["Prefer: \(value)"]).wait == .zero)
    }

    @Test("the preference itself is not cut: other addresses wait longer than an app may")
    func longer() throws {
        #expect(try Request.sample("/", ["Prefer: respond-async, Wait=\"65\""]).preferredWait == .seconds(65))
        #expect(try Request.sample("/", ["Prefer: wait=x", "Prefer: wait=0"]).preferredWait == .zero)
        #expect(try Request.sample("/", ["Prefer: respond-async"]).preferredWait == nil)
    }

    @Test("no field, no wait")
    func absent() throws {
        #expect(try preferences("/?wait=5", ["Preference: wait=5"]).wait == .zero)
    }

    @Test("a wait of more seconds than a number holds is a long wait")
    func huge() throws {
        let wait = try preferences("/", ["Prefer: wait=99999999999999999999"]).wait
        #expect(wait == .seconds(60))
    }

    @Test("a tab is white space as a space is (RFC 9110 section 5.6.3)")
    func tab() throws {
        let wait = try preferences("/", ["Prefer: respond-async,\twait=5"]).wait
        #expect(wait == .seconds(5))
    }

    @Test(
        "the status that the app has seen comes from the query, and is pending by default",
        arguments: [
            ("", .pending), ("?", .pending), ("?seen=pending", .pending), ("?seen=completed", .completed),
            ("?seen=release_required", .releaseRequired), ("?seen=release%5Frequired", .releaseRequired),
            ("?a=b&seen=failed&c=d", .failed), ("?seen=failed&seen=completed", .failed), ("?Seen=failed", .pending),
            ("?unseen=failed", .pending), ("?seen=fa%zzled", .pending), ("?seen=%FF", .pending),
            // No status, so the app is told how the request stands.
            ("?seen=", nil), ("?seen=Pending", nil), ("?seen=redeeming", nil), ("?seen=x&seen=pending", nil),
        ] as [(String, SignInStatus?)])
    func seen(query: String, status: SignInStatus?) throws {
        #expect(try preferences("/v1/requests/id" + query).seen == status)
    }

    @Test(
        "an app that prefers an event stream, or takes it as gladly as JSON, gets one",
        arguments: [
            (["text/event-stream"], true), (["Text/Event-Stream"], true), (["text/event-stream; charset=utf-8"], true),
            (["application/json;q=0.9, text/event-stream"], true), (["application/json", "text/event-stream"], true),
            (["text/event-stream, */*"], true), (["text/event-stream;q=0.001"], true),
            (["*/*, application/json;q=0.1, text/event-stream;q=0.2"], true),
            (["application/json, text/event-stream;q=0.9"], false),
            (["application/json, text/event-stream;q=0.1"], false), (["*/*, text/event-stream;q=0.5"], false),
            (["application/*", "text/event-stream;q=0.5"], false), (["text/event-stream;q=0"], false),
            (["text/event-stream;q=0.0"], false), (["text/event-stream; Q=0.000"], false),
            (["text/event-stream;q=0."], false), (["text/event-stream;q=2"], false), (["text/event-streams"], false),
            ([], false), (["application/json"], false), (["*/*"], false), (["text/*"], false), ([""], false),
        ])
    func stream(values: [String], isStream: Bool) throws {
        #expect(try preferences("/", values.map { "Accept: \($0)" }).isStream == isStream)
    }
}
