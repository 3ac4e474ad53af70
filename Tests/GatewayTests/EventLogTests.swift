import SwitchyardConfiguration
import SwitchyardJSON
import SwitchyardOAuth
import SwitchyardReactor
import SwitchyardRouting
import Synchronization
import TestSupport
import Testing

@testable import SwitchyardGateway
@testable import SwitchyardPendingRequests

@Suite("Event log", .timeLimit(.minutes(1))) struct EventLogTests {
    /// The lines that a log has written.
    final class Lines: Sendable {
        private let all = Mutex<[String]>([])

        func add(_ line: [UInt8]) {
            let text = String(decoding: line, as: UTF8.self)
            #expect(text.hasSuffix("\n") && !text.dropLast().contains("\n"))
            all.withLock { $0.append(String(text.dropLast())) }
        }

        /// Those written since the last call, without the time that each begins with.
        func take() -> [String] {
            let lines = all.withLock { lines in
                defer { lines = [] }
                return lines
            }
            return lines.map { line in
                // RFC 3339 in UTC with milliseconds; the digits are not compared.
                let shape = line.prefix(28).map { $0.isNumber ? "0" : $0 }
                #expect(String(shape) == "at=0000-00-00T00:00:00.000Z ")
                return String(line.dropFirst(28))
            }
        }
    }

    private let lines = Lines()

    private func log(
        _ level: LogConfiguration.Level = .debug, _ format: LogConfiguration.Format = .logfmt
    ) -> (EventLog, EventReporter) {
        var configuration = LogConfiguration()
        configuration.level = level
        configuration.format = format
        let log = EventLog(configuration, write: { [lines] in lines.add($0) })
        return (log, EventReporter([log]))
    }

    private let caller = Caller(.ip(address: [192, 0, 2, 1], port: 5))
    private let app: AppID

    init() throws {
        app = "com.contoso.app1"
    }

    @Test("an event is one line: time, level, event, reference, app, reason, who, and what else there is to say")
    func line() throws {
        let (_, events) = log()
        let record = try RequestRecord.sample()
        events.report(.failed(SignInFailureNote(code: .releaseFailed, cause: .wrongCode)), of: record)
        events.report(.refused(.replayed), app: app, record.reference, from: caller, by: .relay)
        #expect(
            lines.take() == [
                "level=info event=failed reference=\(record.reference) app=com.contoso.app1 reason=release_failed"
                    + " cause=wrong_code",
                "level=info event=refused reference=\(record.reference) app=com.contoso.app1 reason=replayed"
                    + " from=192.0.2.1 relayed=true",
            ])
    }

    @Test("as JSON a line has the same names, and numbers are numbers")
    func json() throws {
        let collected = Mutex<[[UInt8]]>([])
        var configuration = LogConfiguration()
        configuration.format = .json
        let log = EventLog(configuration, write: { line in collected.withLock { $0.append(line) } })
        log.receive(.gateway(.reloaded(file: "a \"b\"\n\u{1B}\u{202E}é", apps: 3, issuers: 1, filesLeftOut: 0)))
        let all = collected.withLock { $0 }
        let line = try #require(all.first)
        let object = try #require(try JSONValue.parse(Array(line.dropLast())).object)
        #expect(object.members.map(\.name) == ["at", "level", "event", "file", "apps", "issuers"])
        #expect(object["file"]?.string == "a \"b\"\n\u{1B}\u{202E}é")
        #expect(object["apps"]?.integer == 3)
    }

    @Test(
        "a value is quoted when it is not plain, and cannot break out of its line or its quotes",
        arguments: [
            ("plain", "plain"), ("2001:db8::1", "2001:db8::1"), ("", "\"\""), ("a=b", "\"a=b\""),
            ("two words", "\"two words\""), ("a\"b", "\"a\\\"b\""), ("a\nb", "\"a\\nb\""), ("a\r\nb", "\"a\\r\\nb\""),
            ("a\tb", "\"a\\tb\""), ("\u{0}", "\"\\u0000\""), ("\u{7F}", "\"\\u007f\""), ("\u{9B}31m", "\"\\u009b31m\""),
            ("\u{1B}[31m", "\"\\u001b[31m\""), ("a\\", "\"a\\\\\""), ("é", "\"é\""), ("\u{2028}", "\"\\u2028\""),
            ("\u{202E}x", "\"\\u202ex\""), ("\u{E0001}", "\"\\udb40\\udc01\""),
            ("x\" reason=\"y", "\"x\\\" reason=\\\"y\""),
            ("x\nat=2026-01-01T00:00:00.000Z event=begun", "\"x\\nat=2026-01-01T00:00:00.000Z event=begun\""),
        ])
    func quoting(value: String, shown: String) {
        let (_, events) = log()
        events.report(.gateway(.configurationWarning(value)))
        #expect(lines.take() == ["level=warning event=configuration_warning reason=\(shown)"])
    }

    @Test("no secret of a request is in any of its lines")
    func secrets() throws {
        let (_, events) = log()
        let record = try RequestRecord.sample(.claim, .finish(.completed))
        for step in SignInStep.samples(caller) { events.report(step, of: record) }
        let text = lines.take().joined()
        #expect(!text.isEmpty && !text.contains("\(record.id)"))
    }

    @Test("every outcome of a callback has a name of its own, which its line says")
    func outcomes() {
        let names = CallbackOutcome.allCases.map(\.name)
        #expect(Set(names).count == names.count)
        for outcome in CallbackOutcome.allCases {
            let report = CallbackReport(
                outcome: outcome, app: nil, reference: nil, isOfRequest: false, caller: caller, channel: nil,
                isIssuerNamed: nil)
            let line = GatewayEvent.callback(report).line
            #expect(line.event.rawValue == outcome.name || (line.event == .refused && line.reason == outcome.name))
        }
    }

    @Test("the outcomes are the closed list that users rely on")
    func closedList() {
        let documented = [
            "accepted", "repeated", "malformed", "duplicate_parameter", "missing_state", "missing_code", "too_large",
            "wrong_response_mode", "unknown_state", "wrong_redirect_uri", "wrong_issuer", "response_not_trusted",
            "another_browser", "foreign_relay", "expired", "canceled", "replayed", "unavailable", "not_mine",
            "prefetch", "wrong_method", "limited",
        ]
        #expect(Set(CallbackOutcome.allCases.map(\.name)) == Set(documented))
    }

    @Test(
        "events below the level are not written, and a good redirect is not even told",
        arguments: zip(LogConfiguration.Level.allCases, [5, 4, 2, 1]))
    func levels(level: LogConfiguration.Level, count: Int) throws {
        let (log, events) = log(level)
        let record = try RequestRecord.sample()
        events.report(.dispatched(app: app))
        events.report(.prefetch, app: app, from: caller)
        events.report(.completed, of: record)
        events.report(.denied, of: record)
        events.report(.storeFailed(reason: "disk full", failures: 1))
        #expect(lines.take().count == count)
        #expect(log.wantsDispatches == (level == .debug))
    }

    @Test("a reload changes the level from the next event on")
    func levelChange() {
        let (log, events) = log(.error)
        events.report(.gateway(.stopping))
        var configuration = LogConfiguration()
        configuration.level = .debug
        log.adopt(configuration)
        events.report(.gateway(.stopping))
        #expect(lines.take() == ["level=info event=stopping"])
    }

    // MARK: Floods

    @Test("of a flood of refusals twenty a second are logged, and the rest is counted in one line")
    func throttle() {
        var throttle = LineThrottle()
        var (shown, told) = (0, 0)
        for second in Int64(1000)..<1005 {
            for _ in 0..<150 {
                guard let suppressed = throttle.pass("malformed", perSecond: 20, at: second) else { continue }
                shown += 1
                told += suppressed
            }
            #expect(throttle.end(at: second).isEmpty, "the flood goes on")
            // It hides no event of another kind.
            #expect(throttle.pass("replayed", perSecond: 20, at: second) == 0)
        }
        #expect(shown == 5 * 20)
        let ended = throttle.end(at: 1005)
        #expect(ended.map(\.name) == ["malformed"])
        told += ended.reduce(0) { $0 + $1.count }
        #expect(told == 5 * 130)
        #expect(throttle.end(at: 1006).isEmpty)
        #expect(throttle.pass("malformed", perSecond: 20, at: 1006) == 0)
    }

    @Test("one address has one line of a reason in a second, and takes no line of another")
    func throttleOfOneAddress() {
        var throttle = LineThrottle()
        let callers = (1...30).map { CallerKey.user($0) }
        for _ in 0..<50 { _ = throttle.pass("not_mine", of: callers[0], perSecond: 20, at: 1000) }
        var shown = 0
        for caller in callers where throttle.pass("not_mine", of: caller, perSecond: 20, at: 1000) != nil { shown += 1 }
        #expect(shown == 19, "twenty altogether")
        #expect(throttle.pass("too_large", of: callers[0], perSecond: 20, at: 1000) == 0, "another reason")
        #expect(throttle.pass("not_mine", of: callers[0], perSecond: 20, at: 1001) == 10)
    }

    @Test("a clock that goes back hides nothing for long")
    func clockGoesBack() {
        var throttle = LineThrottle()
        for _ in 0..<30 { _ = throttle.pass("malformed", perSecond: 20, at: 5000) }
        #expect(throttle.pass("malformed", perSecond: 20, at: 1000) == 10)
    }

    @Test("a flood of refusals takes no event of a sign-in away")
    func floodAndEvents() throws {
        let (_, events) = log()
        let record = try RequestRecord.sample()
        for _ in 0..<1000 { events.report(.refused(.malformed), app: nil, from: caller) }
        _ = lines.take()
        events.report(.begun(from: caller), of: record)
        events.reportAccepted(record, isIssuerNamed: true, app: app, from: caller, by: .query)
        events.report(.gateway(.stopping))
        #expect(lines.take().count == 3)
    }

    @Test("a flood of one reason takes no refusal of another away, and a flood of begins ends as well")
    func floodAndOthers() throws {
        let (_, events) = log()
        let record = try RequestRecord.sample()
        for _ in 0..<4000 {
            events.report(.refused(.malformed), app: nil, from: caller)
            events.report(.begun(from: caller), of: record)
            events.report(.canceled, of: record)
        }
        // A test may run across the end of a second, but not of three.
        let lines = lines.take()
        for event in ["event=begun", "event=canceled"] { #expect(lines.count { $0.contains(event) } <= 3000) }
        events.report(.refused(.replayed), app: nil, from: caller)
        events.report(.limited(.beginRate, app: nil, from: caller))
        events.report(.expired, of: record)
        #expect(self.lines.take().count { !$0.contains("lines_not_shown") } == 3)
    }

    @Test("the lines that a flood left out are counted when it is over")
    func floodCount() {
        let (log, events) = log()
        let sent = 500
        for _ in 0..<sent { events.report(.refused(.malformed), app: nil, from: caller) }
        var written = lines.take()
        let end = Instant.now() + .seconds(30)
        func told() -> Int {
            written.compactMap {
                $0.split(separator: "event=lines_not_shown reason=malformed count=").last.flatMap { Int($0) }
            }
            .reduce(0, +)
        }
        func shown() -> Int { written.count { $0.contains("event=refused") } }
        while shown() + told() < sent, Instant.now() < end {
            log.tellSuppressed()
            written += lines.take()
        }
        #expect(shown() + told() == sent)
    }
}

extension SignInStep {
    /// One of each.
    static func samples(_ caller: Caller) -> [SignInStep] {
        Array(sequence(first: .begun(from: caller)) { $0.next })
    }

    /// A chain through all steps: a new one does not compile until it has its place here.
    private var next: SignInStep? {
        switch self {
        case .begun: .startPageSeen
        case .startPageSeen: .started
        case .started: .held(.code)
        case .held: .released
        case .released: .wrongCode(attemptsLeft: 2)
        case .wrongCode: .denied
        case .denied: .redeemed(issuer: "contoso", after: .milliseconds(180))
        case .redeemed:
            .keeping(.notKept(KeepingProblem(.locked, "the desktop keyring is locked", remedy: "unlock it")))
        case .keeping(.notKept): .keeping(.kept)
        case .keeping(.kept): .sealed
        case .sealed: .completed
        case .completed: .passedOn(by: .loopback)
        case .passedOn: .failed(SignInFailureNote(code: .accessDenied))
        case .failed: .collected
        case .collected: .acknowledged
        case .acknowledged: .canceled
        case .canceled: .expired
        case .expired: nil
        }
    }
}
