import SwitchyardCrypto
import Testing

@testable import SwitchyardPendingRequests

@Suite("Life of a request") struct TransitionTableTests {
    /// The result of each step, in the order of ``Walk/steps``; `!` marks a refusal.
    static let rows: [(String, [String])] = [
        (
            "pending",
            [
                "redeeming", "redeeming", "!notNow", "!notNow", "canceled", "!notNow", "!notNow", "!repeated", "held 3",
                "!notNow", "!notNow", "denied", "completed",
            ]
        ),
        (
            "overdue",
            [
                "!expired", "!expired", "!notNow", "!notNow", "!notNow", "!notNow", "expired empty taken",
                "expired empty", "!expired", "!notNow", "!notNow", "!notNow", "!expired",
            ]
        ),
        (
            "claimed",
            [
                "!repeated", "!conflicting", "!notNow", "completed", "canceled", "!notNow", "!notNow", "!repeated",
                "!repeated", "!notNow", "!notNow", "!notNow", "!repeated",
            ]
        ),
        (
            "claimed, lease over",
            [
                "!repeated", "!conflicting", "!notNow", "!notNow", "!notNow", "!notNow", "failed internal empty taken",
                "failed internal", "!repeated", "!notNow", "!notNow", "!notNow", "!repeated",
            ]
        ),
        (
            "redeeming",
            [
                "!repeated", "!conflicting", "!notNow", "completed", "canceled", "!notNow", "!notNow", "!repeated",
                "!repeated", "!notNow", "!notNow", "!notNow", "!repeated",
            ]
        ),
        (
            "redeeming, lease over",
            [
                "!repeated", "!conflicting", "!notNow", "!notNow", "!notNow", "!notNow", "failed internal empty taken",
                "failed internal", "!repeated", "!notNow", "!notNow", "!notNow", "!repeated",
            ]
        ),
        (
            "completed",
            [
                "!repeated", "!conflicting", "!notNow", "!notNow", "!notNow", "completed read", "completed empty taken",
                "!repeated", "!repeated", "!notNow", "!notNow", "!notNow", "!repeated",
            ]
        ),
        (
            "completed without redeeming",
            [
                "!repeated", "!conflicting", "!notNow", "!notNow", "!notNow", "completed read", "completed empty taken",
                "!repeated", "!repeated", "!notNow", "!notNow", "!notNow", "!repeated",
            ]
        ),
        (
            "settled",
            [
                "!repeated", "!conflicting", "!notNow", "!notNow", "!notNow", "completed read", "completed empty taken",
                "!repeated", "!repeated", "!notNow", "!notNow", "!notNow", "!repeated",
            ]
        ),
        (
            "read",
            [
                "!repeated", "!conflicting", "!notNow", "!notNow", "!notNow", "!repeated", "completed empty taken",
                "!repeated", "!repeated", "!notNow", "!notNow", "!notNow", "!repeated",
            ]
        ),
        (
            "acknowledged",
            [
                "!repeated", "!conflicting", "!notNow", "!notNow", "!notNow", "!notNow", "!repeated",
                "!repeated", "!repeated", "!notNow", "!notNow", "!notNow", "!repeated",
            ]
        ),
        (
            "canceled",
            [
                "!canceled", "!canceled", "!notNow", "!notNow", "!notNow", "canceled read", "canceled empty taken",
                "!repeated", "!canceled", "!notNow", "!notNow", "!notNow", "!canceled",
            ]
        ),
        (
            "canceled when claimed",
            [
                "!repeated", "!conflicting", "!notNow", "!notNow", "!notNow", "canceled read", "canceled empty taken",
                "!repeated", "!repeated", "!notNow", "!notNow", "!notNow", "!repeated",
            ]
        ),
        (
            "expired",
            [
                "!expired", "!expired", "!notNow", "!notNow", "!notNow", "!notNow", "expired empty taken",
                "!repeated", "!expired", "!notNow", "!notNow", "!notNow", "!expired",
            ]
        ),
        (
            "abandoned",
            [
                "!repeated", "!conflicting", "!notNow", "!notNow", "!notNow", "!notNow", "failed internal empty taken",
                "!repeated", "!repeated", "!notNow", "!notNow", "!notNow", "!repeated",
            ]
        ),
        (
            "held",
            [
                "!repeated", "!conflicting", "claimed", "!notNow", "canceled", "!notNow", "!notNow", "!repeated",
                "!repeated", "redeeming", "held 2", "denied", "!repeated",
            ]
        ),
        (
            "held for too long",
            [
                "!repeated", "!conflicting", "!notNow", "!notNow", "!notNow", "!notNow", "held too long empty taken",
                "held too long", "!repeated", "!notNow", "!notNow", "!notNow", "!repeated",
            ]
        ),
        (
            "held, two misses",
            [
                "!repeated", "!conflicting", "claimed", "!notNow", "canceled", "!notNow", "!notNow", "!repeated",
                "!repeated", "redeeming", "misproved", "denied", "!repeated",
            ]
        ),
        (
            "released",
            [
                "!repeated", "!conflicting", "!notNow", "completed", "canceled", "!notNow", "!notNow", "!repeated",
                "!repeated", "!notNow", "!notNow", "!notNow", "!repeated",
            ]
        ),
        (
            "misproved",
            [
                "!repeated", "!conflicting", "!notNow", "!notNow", "!notNow", "misproved read", "misproved empty taken",
                "!repeated", "!repeated", "!notNow", "!notNow", "!notNow", "!repeated",
            ]
        ),
        (
            "denied",
            [
                "!repeated", "!conflicting", "!notNow", "!notNow", "!notNow", "denied read", "denied empty taken",
                "!repeated", "!repeated", "!notNow", "!notNow", "!notNow", "!repeated",
            ]
        ),
        (
            "denied before the callback",
            [
                "!expired", "!expired", "!notNow", "!notNow", "!notNow", "denied read", "denied empty taken",
                "!repeated",
                "!expired", "!notNow", "!notNow", "!notNow", "!expired",
            ]
        ),
        (
            "held and forgotten",
            [
                "!repeated", "!conflicting", "!notNow", "!notNow", "!notNow", "!notNow", "held too long empty taken",
                "!repeated", "!repeated", "!notNow", "!notNow", "!notNow", "!repeated",
            ]
        ),
    ]

    @Test("every step has its outcome in every phase, and a refused one changes nothing", arguments: rows)
    func step(start: String, outcomes: [String]) throws {
        let now = Timestamp.at(try #require(Walk.starts[start]).second)
        for (step, expected) in zip(Walk.steps, outcomes) {
            var record = try #require(Walk.record(at: start))
            let before = Walk.words(record)
            let transition = try #require(Walk.transition(step, at: now))
            do throws(RequestTransition.Refusal) {
                try record.apply(transition, at: now)
                #expect(Walk.words(record) == expected, "\(step)")
            } catch {
                #expect("!\(error)" == expected, "\(step)")
                #expect(Walk.words(record) == before, "\(step)")
            }
        }
    }

    @Test("the table knows every starting point and every step")
    func complete() {
        #expect(Set(Self.rows.map(\.0)) == Set(Walk.starts.keys))
        #expect(Self.rows.allSatisfy { $0.1.count == Walk.steps.count })
    }

    @Test("a claim keeps the callback, and a later one does not replace it")
    func callback() throws {
        var record = RequestRecord.sample()
        #expect(record.callback == nil)
        try record.apply(.claim(by: "A", at: .at(1)), at: .at(1))
        #expect(throws: RequestTransition.Refusal.conflicting) {
            try record.apply(.claim(by: "B", at: .at(2)), at: .at(2))
        }
        #expect(record.callback == .named("A"))
    }

    @Test("the secrets go with the end of a request, and not before", arguments: Walk.starts.keys.sorted())
    func secrets(start: String) throws {
        let record = try #require(Walk.record(at: start))
        #expect(record.sealedSecrets.isEmpty == record.isFinished)
    }

    @Test("only the first read is noted")
    func firstRead() throws {
        var record = try #require(Walk.record(at: "completed"))
        try record.apply(.read(at: .at(10)), at: .at(10))
        let read = record
        #expect(throws: RequestTransition.Refusal.repeated) { try record.apply(.read(at: .at(20)), at: .at(20)) }
        #expect(record == read)
        #expect(record.outcome?.firstReadAt == .at(10))
        #expect(record.outcome?.discardAt == .at(70))
        #expect(record.outcome?.isCollected == true)
    }

    @Test("a request can be claimed up to, but not at, the moment it expires")
    func lastMoment() throws {
        let last = Timestamp(milliseconds: Timestamp.at(600).milliseconds - 1)
        var record = RequestRecord.sample()
        try? record.apply(.age, at: last)
        try record.apply(.claim(by: "A", at: last), at: last)
        #expect(Walk.words(record) == "redeeming")
    }
}
