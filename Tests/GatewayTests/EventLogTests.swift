import SwitchyardPendingRequests
import Testing

@testable import SwitchyardGateway

@Suite("Event log", .timeLimit(.minutes(1))) struct EventLogTests {
    private let pipe: LogPipe
    private let log: EventLog

    init() throws {
        pipe = try LogPipe()
        log = EventLog(descriptor: pipe.writing)
    }

    @Test("an event is one line with the time, the reference, the app and what else there is to say, in order")
    func note() throws {
        let record = try RequestRecord.sample()
        log.note(.failed, record, [("code", "access_denied"), ("cause", "the user said no")])
        let line =
            "sign-in failed reference=\(record.reference) app=com.contoso.app1 code=access_denied"
            + " cause=\"the user said no\""
        #expect(pipe.messages() == [line])
    }

    @Test("every event has its own name, in its own line")
    func events() throws {
        let record = try RequestRecord.sample()
        let events: [EventLog.Event] = [
            .begun, .started, .returned, .completed, .failed, .collected, .canceled, .expired, .relayed,
        ]
        let names = [
            "begun", "started", "returned", "completed", "failed", "collected", "canceled", "expired",
            "relayed",
        ]
        for event in events { log.note(event, record) }
        #expect(pipe.messages() == names.map { "sign-in \($0) reference=\(record.reference) app=com.contoso.app1" })
    }

    @Test("no secret of a request is in its line")
    func secrets() throws {
        let record = try RequestRecord.sample(.claim, .finish(.completed))
        log.note(.completed, record)
        let line = try #require(pipe.messages().first)
        #expect(!line.contains("\(record.id)"))
        #expect(line == "sign-in completed reference=\(record.reference) app=com.contoso.app1")
    }

    @Test(
        "a value is quoted when it is not plain, and cannot break out of its line or its quotes",
        arguments: [
            ("plain", "plain"), ("a=b", "a=b"), ("2001:db8::1", "2001:db8::1"), ("", ""),
            ("two words", "\"two words\""),
            ("a\"b", "\"a?b\""), ("a\nb", "\"a?b\""), ("a\r\nb", "\"a??b\""), ("a\tb", "\"a?b\""), ("\u{0}", "\"?\""),
            ("\u{7F}", "\"?\""), ("\u{1B}[31m", "\"?[31m\""), ("a b\\", "\"a b?\""), ("é", "\"é\""),
            ("x\" reason=\"y", "\"x? reason=?y\""),
            ("x\n2026-01-01T00:00:00.000Z sign-in begun", "\"x?2026-01-01T00:00:00.000Z sign-in begun\""),
        ])
    func quoting(value: String, shown: String) {
        log.refuse("malformed", app: value, from: "192.0.2.1")
        #expect(pipe.messages() == ["sign-in refused app=\(shown) reason=malformed from=192.0.2.1"])
    }

    @Test("a callback that belongs to no app is refused without one")
    func noApp() {
        log.refuse("not_mine", app: nil, from: "uid:1000")
        #expect(pipe.messages() == ["sign-in refused reason=not_mine from=uid:1000"])
    }

    /// Refuses until a second has come to an end, so that the next refusals are the first of theirs.
    private func untilNextSecond() async {
        let start = Timestamp.now().seconds
        while Timestamp.now().seconds == start { await Task.yield() }
    }

    @Test("of a flood of refusals twenty a second are shown")
    func flood() async {
        // On a slow machine the second may end under the flood; then the next one counts.
        while true {
            await untilNextSecond()
            let second = Timestamp.now().seconds
            for _ in 0..<100 { log.refuse("malformed", app: nil, from: "192.0.2.1") }
            let messages = pipe.messages()
            guard Timestamp.now().seconds == second else { continue }
            #expect(messages.count == 20)
            #expect(messages.dropFirst().allSatisfy { $0 == "sign-in refused reason=malformed from=192.0.2.1" })
            return
        }
    }

    @Test("the first refusal shown after a flood says how many were not, and the count is exact")
    func floodCount() async throws {
        await untilNextSecond()
        let sent = 150
        for _ in 0..<sent { log.refuse("malformed", app: nil, from: "192.0.2.1") }
        let shown = pipe.messages()
        await untilNextSecond()
        log.refuse("malformed", app: nil, from: "192.0.2.1")
        log.refuse("malformed", app: nil, from: "192.0.2.1")
        let after = pipe.messages()
        let plain = "sign-in refused reason=malformed from=192.0.2.1"
        // All that was not shown is told, once, whichever line tells it.
        let told = (shown + after).compactMap { line in
            line.hasPrefix(plain + " not_shown_before=") ? Int(line.dropFirst(plain.utf8.count + 18)) : nil
        }
        #expect(told.reduce(0, +) == sent - shown.count)
        #expect(after.last == plain, "told once, not again")
    }

    @Test("a flood of refusals takes no event of a sign-in away")
    func floodAndEvents() throws {
        for _ in 0..<100 { log.refuse("malformed", app: nil, from: "192.0.2.1") }
        _ = pipe.messages()
        log.note(.begun, try .sample())
        #expect(pipe.messages().count == 1)
        log.say("reloaded")
        #expect(pipe.messages().count == 1)
    }

    @Test("lines of different threads do not mix")
    func threads() async throws {
        let record = try RequestRecord.sample()
        await withTaskGroup { group in
            for _ in 0..<8 {
                group.addTask { @Sendable [log] in for _ in 0..<25 { log.note(.begun, record) } }
            }
        }
        let line = "sign-in begun reference=\(record.reference) app=com.contoso.app1"
        #expect(pipe.messages() == [String](repeating: line, count: 200))
    }

    @Test("the gateway speaks for itself in lines of another kind")
    func say() {
        log.say("listens on 127.0.0.1:8443")
        #expect(pipe.messages() == ["gateway listens on 127.0.0.1:8443"])
    }

    @Test("a log without a descriptor says nothing and does not fail")
    func silent() throws {
        let silent = EventLog(descriptor: nil)
        silent.note(.begun, try .sample())
        silent.refuse("malformed", app: nil, from: "192.0.2.1")
        silent.say("nothing")
        #expect(pipe.messages() == [])
    }
}
