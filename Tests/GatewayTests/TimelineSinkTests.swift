import SwitchyardConfiguration
import SwitchyardJSON
import SwitchyardOAuth
import SwitchyardPendingRequests
import SwitchyardPhrases
import SwitchyardReactor
import SwitchyardRouting
import TestSupport
import Testing

@testable import SwitchyardGateway

@Suite("What histories are made of", .timeLimit(.minutes(1))) struct TimelineSinkTests {
    private let caller = Caller(.ip(address: [192, 0, 2, 1], port: 5))
    private let sink = TimelineSink()
    private let events: EventReporter
    private let app: AppID

    init() throws {
        events = EventReporter([sink])
        app = "com.contoso.app1"
    }

    /// The notes since the last call.
    private func notes() -> [TimelineNote] {
        var taken = sink.take()
        var notes: [TimelineNote] = []
        while !taken.isEmpty { notes += taken.next(7) }
        return notes
    }

    private func report(_ reference: Reference) throws -> JSONObject {
        let timeline = try #require(Timeline(notes().filter { $0.reference == reference }))
        return SignInReport(reference, timeline) { _ in "contoso" }.json
    }

    @Test("every step of a sign-in has its entry, by a name of the list, and in words")
    func steps() throws {
        let record = try RequestRecord.sample()
        for step in SignInStep.samples(caller) {
            events.report(step, of: record)
            let note = try #require(notes().first)
            #expect(note.reference == record.reference && note.app == "com.contoso.app1")
            let name = try #require(TimelineName(rawValue: note.event.name))
            #expect(!name.words(note.event).isEmpty && !name.words(note.event).contains("?"))
            #expect(note.event.details.allSatisfy { TimelineDetail(rawValue: $0.name) != nil })
        }
    }

    @Test("notes of several loops come in order, refusals without a request last")
    func order() async throws {
        let group = try EventLoopGroup(count: 2)
        try group.start()
        defer { group.stop() }
        let record = try RequestRecord.sample()
        let steps: [SignInStep] = [.started, .canceled, .collected, .acknowledged]
        for (number, step) in steps.enumerated() {
            await group.loops[1 - number % 2].perform { [self] in
                if number == 0 { events.report(.refused(.unknownState), app: app, from: caller, by: .query) }
                events.report(step, of: record)
            }
        }
        #expect(notes().map(\.event.name) == ["started", "canceled", "collected", "acknowledged", "refused"])
    }

    @Test("the log has the same names, so that one word means one thing")
    func names() throws {
        let record = try RequestRecord.sample()
        for step in SignInStep.samples(caller) {
            let event = GatewayEvent.signIn(step, reference: record.reference, app: record.app)
            #expect(
                event.timelineNote(at: .init(milliseconds: 0))?.event.name == event.line.event.rawValue
            )
        }
        for outcome in CallbackOutcome.allCases where outcome != .prefetch {
            events.report(outcome, app: app, record.reference, from: caller, by: .query)
            let note = try #require(notes().first)
            #expect(note.event.name == outcome.name || note.event[.reason] == outcome.name)
        }
    }

    @Test("a callback without a request has a reference of its own, and its cause and remedy")
    func refusal() throws {
        let reference = events.report(.refused(.unknownState), app: app, from: caller, by: .formPost)
        let report = try report(reference)
        #expect(report["status"]?.string == "failed")
        #expect(report["cause"]?.string == "unknown_state")
        #expect(report["remedy"]?.string?.isEmpty == false)
        let event = try #require(report["events"]?.array?.first?.object)
        #expect(event["event"]?.string == "refused" && event["by"]?.string == "form_post")
        #expect(event["from"]?.string == "192.0.2.1")
    }

    @Test("a refusal of one callback does not end the request that waits on")
    func waitsOn() throws {
        let record = try RequestRecord.sample()
        events.report(.begun(from: caller), of: record)
        events.report(.refused(.wrongIssuer), app: app, record.reference, from: caller, by: .query)
        let report = try report(record.reference)
        #expect(report["status"]?.string == "pending")
        #expect(report["cause"] == nil)
    }

    private static let locked = KeepingProblem(.locked, "the desktop keyring is locked", remedy: "unlock it")
    private static let unidentified = KeepingProblem(
        .noIDToken, "the issuer gave no ID token", remedy: "ask for openid")

    @Test(
        "a sign-in stands as its last steps say",
        arguments: [
            ([], "pending", nil), ([.held(.code)], "held", nil), ([.held(.code), .released], "pending", nil),
            ([.held(.code), .denied], "failed", "denied"), ([.completed, .collected], "completed", nil),
            ([.keeping(.notKept(locked)), .completed], "completed", "storage_locked"),
            ([.keeping(.notKept(locked)), .completed, .keeping(.kept)], "completed", nil),
            ([.keeping(.notKept(unidentified)), .completed], "completed", nil),
            ([.expired], "expired", "expired"), ([.canceled], "failed", "user_canceled"),
            ([.failed(SignInFailureNote(code: .accessDenied))], "failed", "access_denied"),
            ([.failed(SignInFailureNote(code: .releaseFailed, cause: .wrongCode))], "failed", "wrong_code"),
        ] as [([SignInStep], String, String?)])
    func status(steps: [SignInStep], status: String, cause: String?) throws {
        let record = try RequestRecord.sample()
        for step in [.begun(from: caller)] + steps { events.report(step, of: record) }
        let report = try report(record.reference)
        #expect(report["status"]?.string == status)
        #expect(report["cause"]?.string == cause)
        #expect((report["remedy"] != nil) == (cause != nil))
    }

    @Test("a number of Microsoft's explains more than the error, and an issuer's words are never kept")
    func issuersWords() throws {
        let record = try RequestRecord.sample()
        let failure = SignInFailure(
            .invalidClient, oauthError: "invalid_client",
            description: "AADSTS7000222: The secret of planted@contoso.com has expired.")
        events.report(.failed(SignInFailureNote(failure, issuer: "contoso")), of: record)
        let odd = SignInFailure(.serverError, oauthError: "planted_error", description: "planted words")
        let other = try RequestRecord.sample()
        events.report(.failed(SignInFailureNote(odd, issuer: "contoso")), of: other)
        let notes = notes()
        #expect(!"\(notes)".contains("planted"))
        let timeline = try #require(Timeline(notes.filter { $0.reference == record.reference }))
        let report = SignInReport(record.reference, timeline) { _ in nil }.json
        #expect(report["number"]?.string == "AADSTS7000222" && report["cause"]?.string == "invalid_client")
        #expect(report["explanation"]?.string == "the client secret has expired")
        #expect(report["issuer"]?.string == "contoso")
    }

    @Test("an error that a callback brought is not told as the issuer's, nor as one that an operator can mend")
    func broughtByCallback() throws {
        let failure = SignInFailure(.invalidClient, oauthError: "invalid_client")
        func told(isFromCallback: Bool) throws -> (event: GatewayEvent, report: JSONObject) {
            let record = try RequestRecord.sample()
            let note = SignInFailureNote(failure, issuer: "contoso", isFromCallback: isFromCallback)
            events.report(.failed(note), of: record)
            return (.signIn(.failed(note), reference: record.reference, app: record.app), try report(record.reference))
        }
        let (answered, brought) = (try told(isFromCallback: false), try told(isFromCallback: true))
        #expect(answered.event.level == .warning && brought.event.level == .info)
        let lines = [answered, brought].map { $0.event.line.details.map { "\($0.0)" } }
        #expect(lines == [["issuer", "detail"], ["issuer", "told_by"]])
        #expect(answered.report["cause"] == brought.report["cause"])
        let (plain, doubtful) = (answered.report["explanation"]?.string, brought.report["explanation"]?.string)
        #expect(plain != doubtful && doubtful?.hasPrefix(plain ?? "") == true)
        #expect(brought.report["remedy"]?.string?.contains("somebody has written it into the address") == true)
        let event = try #require(brought.report["events"]?.array?.last?.object)
        #expect(
            event["told_by"]?.string == "callback" && event["text"]?.string?.hasSuffix("as the callback said") == true)
    }

    @Test(
        "a flood of callbacks that belong to no request gets a few histories, and leaves room for other senders and reasons"
    )
    func quota() throws {
        let junk: [CallbackOutcome] = [.limited, .notMine, .wrongMethod, .refused(.malformed)]
        for _ in 0..<500 { for outcome in junk { events.report(outcome, app: nil, from: caller) } }
        #expect((1..<200).contains(notes().count), "one address")
        for number in 0..<2000 {
            let sender = Caller(.ip(address: [198, 51, UInt8(number / 250), UInt8(number % 250)], port: 5))
            events.report(.notMine, app: nil, from: sender)
        }
        #expect((1..<400).contains(notes().count), "many addresses")
        let other = Caller(.ip(address: [203, 0, 113, 1], port: 5))
        let reference = events.report(.refused(.unknownState), app: app, from: other)
        #expect(notes().map(\.reference) == [reference])
    }

    @Test("callbacks without a request take no room from the steps of requests, which are flushed first")
    func unaskedAside() throws {
        let record = try RequestRecord.sample()
        for number in 0..<9000 {
            let sender = Caller(.ip(address: [198, 51, UInt8(number / 250), UInt8(number % 250)], port: 5))
            events.report(.refused(.unknownState), app: app, from: sender)
        }
        for _ in 0..<8192 { events.report(.started, of: record) }
        var taken = sink.take()
        #expect(taken.lost == 0)
        #expect(taken.next(8192).filter { $0.reference == record.reference }.count == 8192)
    }

    @Test("while the store is out, notes of requests wait first, and the latest of each")
    func backlog() throws {
        let record = try RequestRecord.sample()
        let time = Timestamp(milliseconds: 0)
        let step = TimelineNote(of: record.reference, app: "app", at: time, TimelineEvent("begun"))
        let junk = (0..<9000).map { _ in
            TimelineNote(of: Reference(), app: "", room: .unasked, at: time, TimelineEvent("refused"))
        }
        let kept = Timelines.latest(of: [step] + junk)
        #expect(kept.filter { $0.reference == record.reference }.count == 1)
        #expect(kept.count < 1000 && kept.contains { $0.reference == junk.last?.reference })
        let many = Timelines.latest(of: junk + [TimelineNote](repeating: step, count: 9000))
        #expect(many.count == 4096 && many.count { $0.room == .unasked } == 512)
        let later = TimelineNote(of: Reference(), app: "app", at: time, TimelineEvent("begun"))
        #expect(
            Timelines.latest(of: [TimelineNote](repeating: step, count: 9000) + [later]).last?.reference
                == later.reference)
    }

    @Test("a request of which a history has only a refused callback has not failed")
    func refusalAlone() throws {
        let record = try RequestRecord.sample()
        events.report(.refused(.wrongIssuer), app: app, record.reference, from: caller, by: .query)
        let report = try report(record.reference)
        #expect(report["status"]?.string == "pending" && report["cause"] == nil)
    }

    @Test("notes beyond a bound between two flushes are counted, not kept")
    func bound() throws {
        let record = try RequestRecord.sample()
        for _ in 0..<10_000 { events.report(.started, of: record) }
        var taken = sink.take()
        #expect(taken.lost == 10_000 - 8192)
        #expect(taken.next(8192).count == 8192 && taken.isEmpty)
        #expect(sink.take().isEmpty && sink.take().lost == 0)
    }

    @Test("everything that can be explained is found by its name, with a cause and a remedy")
    func table() {
        for explanation in Explanation.all {
            #expect(Explanation.named(explanation.name).contains(explanation))
            #expect(Explanation.named(explanation.name.uppercased().replacing("_", with: "-")).contains(explanation))
            #expect(
                explanation.cause.last != "." && ".?".contains(explanation.remedy.last ?? " "), "\(explanation.name)")
        }
        for kind in Explanation.Kind.allCases {
            let names = Explanation.all.filter { $0.kind == kind }.map(\.name)
            #expect(!names.isEmpty && Set(names).count == names.count)
        }
        #expect(Explanation.named("50011") == Explanation.named("AADSTS50011: The redirect URI …"))
        #expect(Explanation.named("nonsense").isEmpty && Explanation.named("").isEmpty)
    }

    @Test("a page of a refusal shows its reference, and is otherwise the page without")
    func pages() {
        for language in Language.allCases {
            for refusal in CallbackRefusal.allCases {
                let reference = Reference()
                let page = Page.render(.refused(refusal, reference), language: language)
                #expect(page.html == PageLayout(language: language).refused(refusal, reference: reference).html)
                #expect(String(decoding: page.html, as: UTF8.self).contains("id=\"reference\">\(reference)<"))
            }
        }
    }
}
