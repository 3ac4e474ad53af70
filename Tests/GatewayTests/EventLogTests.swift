import Glibc
import PendingRequests
import Testing

@testable import Gateway

@Suite("Event log") struct EventLogTests {
    /// What a log wrote, line by line.
    private func lines(_ body: (EventLog) throws -> Void) throws -> [String] {
        var ends: [Int32] = [-1, -1]
        let made = unsafe pipe(&ends)
        try #require(made == 0)
        defer { close(ends[0]) }
        do {
            defer { close(ends[1]) }
            try body(EventLog(descriptor: ends[1]))
        }
        var text: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = unsafe read(ends[0], &piece, piece.count)
            guard count > 0 else { break }
            text += piece[..<count]
        }
        let whole = String(decoding: text, as: UTF8.self)
        #expect(whole.isEmpty || whole.hasSuffix("\n"))
        return whole.split(separator: "\n", omittingEmptySubsequences: false).dropLast().map(String.init)
    }

    @Test("an event is one line: when, what, of which sign-in, of which app, and its details")
    func oneLine() throws {
        let record = try RequestRecord.sample()
        let lines = try lines { $0.note(.failed, record, [("code", "network"), ("other", "x")]) }
        #expect(lines.count == 1)
        let words = try #require(lines.first).split(separator: " ").map(String.init)
        #expect(words.dropFirst() == [
            "sign-in", "failed", "reference=\(record.reference)", "app=com.contoso.app1", "code=network", "other=x",
        ])
        #expect(words.first?.hasSuffix("Z") == true)
    }

    @Test("each event is a line of its own")
    func order() throws {
        let record = try RequestRecord.sample()
        let lines = try lines { log in
            log.note(.begun, record)
            log.say("stopping")
            log.note(.collected, record)
        }
        #expect(lines.map { String($0.split(separator: " ").dropFirst().prefix(2).joined(separator: " ")) }
            == ["sign-in begun", "gateway stopping", "sign-in collected"])
    }

    @Test(
        "no value can end the line or look like another field",
        arguments: [
            ("a b", "\"a b\""), ("a\nb", "\"a?b\""), ("a\r\nb", "\"a??b\""), ("a\"b", "\"a?b\""), ("\u{1B}[31m", "\"?[31m\""),
            ("x reference=Y", "\"x reference=Y\""), ("é", "\"é\""), ("a\u{7F}", "\"a?\""), ("plain-1.2:3", "plain-1.2:3"),
        ])
    func quoting(value: String, written: String) throws {
        let record = try RequestRecord.sample()
        let lines = try lines { $0.note(.failed, record, [("code", value)]) }
        #expect(lines.count == 1)
        #expect(lines.first?.hasSuffix(" code=\(written)") == true)
    }

    @Test("what a record holds of secrets does not come into a line")
    func noSecrets() throws {
        let record = try RequestRecord.sample(after: .sampleClaim, .sampleEnd(.completed))
        let events: [EventLog.Event] = [
            .begun, .started, .returned, .redeemed, .completed, .failed, .collected, .canceled, .expired, .relayed,
        ]
        let lines = try lines { log in for event in events { log.note(event, record) } }
        #expect(lines.count == events.count)
        #expect(lines.allSatisfy { !$0.contains("planted") && !$0.contains("\(record.id)") })
    }

    @Test("a refusal says why, of which app and from where")
    func refusal() throws {
        let lines = try lines { log in
            log.refuse("unknown_state", app: "a", from: "192.0.2.1")
            log.refuse("malformed", app: nil, from: "uid:7")
        }
        #expect(lines.first?.hasSuffix(" sign-in refused app=a reason=unknown_state from=192.0.2.1") == true)
        #expect(lines.last?.hasSuffix(" sign-in refused reason=malformed from=uid:7") == true)
    }

    @Test("a flood of refusals is counted rather than written; other events are not held back")
    func flood() throws {
        let record = try RequestRecord.sample()
        let lines = try lines { log in
            for _ in 0..<1000 { log.refuse("unknown_state", app: nil, from: "192.0.2.1") }
            for _ in 0..<50 { log.note(.begun, record) }
        }
        let refusals = lines.count { $0.contains(" refused ") }
        // The second may change while this runs.
        #expect((20...60).contains(refusals))
        #expect(lines.count { $0.contains(" begun ") } == 50)
    }

    @Test("a log without a descriptor writes nothing")
    func silent() throws {
        EventLog(descriptor: nil).note(.begun, try RequestRecord.sample())
    }
}
