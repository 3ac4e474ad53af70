import SwitchyardPendingRequests
import TestSupport
import Testing

@Suite("Histories of sign-ins", .timeLimit(.minutes(1))) struct TimelineTests {
    /// What a history says, without times.
    private static func words(_ timeline: Timeline?) -> [String] {
        (timeline?.chronological ?? []).map { entry in
            let details = entry.event.details.map { " \($0.name)=\($0.value)" }.joined()
            return entry.event.name + details + (entry.count > 1 ? " ×\(entry.count)" : "")
        }
    }

    private static func note(
        _ reference: Reference, _ second: Int, _ name: String, app: String = "app", share: TimelineShare = .known
    ) -> TimelineNote {
        TimelineNote(of: reference, app: app, share: share, at: .at(second), TimelineEvent(name))
    }

    @Test(
        "every store tells what was added, in the order of time, and counts what repeats itself",
        arguments: StoreUnderTest.all)
    func contract(store: StoreUnderTest) async throws {
        let store = try await store.make()
        let (reference, other) = (Reference(), Reference())
        #expect(try await store.timeline(of: reference, at: .at(0)) == nil)
        let refused = TimelineEvent("refused", [("reason", "wrong_issuer")], particulars: [("from", "192.0.2.1")])
        let again = TimelineEvent("refused", [("reason", "wrong_issuer")], particulars: [("from", "192.0.2.2")])
        try await store.keep(
            [
                TimelineNote(
                    of: reference, app: "com.contoso.app1", share: .begun(by: 7), at: .at(0), TimelineEvent("begun")),
                TimelineNote(of: reference, app: "com.contoso.app1", at: .at(2), refused),
                Self.note(other, 2, "begun"),
            ], at: .at(2))
        try await store.keep(
            [
                TimelineNote(of: reference, app: "com.contoso.app1", at: .at(3), again),
                TimelineNote(of: reference, app: "com.contoso.app1", at: .at(1), TimelineEvent("started")),
                TimelineNote(
                    of: reference, app: "com.contoso.app1", share: .returned, at: .at(4), TimelineEvent("accepted")),
            ], at: .at(4))
        let timeline = try #require(try await store.timeline(of: reference, at: .at(4)))
        #expect(timeline.app == "com.contoso.app1")
        #expect(
            Self.words(timeline) == [
                "begun", "started", "refused reason=wrong_issuer from=192.0.2.1 ×2", "accepted",
            ])
        let entry = try #require(timeline.chronological.first { $0.count == 2 })
        #expect(entry.first == .at(2) && entry.last == .at(3))
        #expect(Self.words(try await store.timeline(of: other, at: .at(4))) == ["begun"])
    }

    @Test("a count that a store gives stays at the largest number, and is at least one")
    func largestCount() throws {
        let event = TimelineEvent("begun")
        for (count, expected) in [(Int.max, Int.max), (.max - 1, .max), (0, 3), (.min, 3), (7, 9)] {
            let entry = Timeline.Entry(event, first: .at(0), last: .at(0), count: count)
            let timeline = Timeline(app: "app", share: .known, entries: [entry])
            let notes = (1...2).map { Self.note(Reference(), $0, "begun") }
            #expect(timeline.with(notes).entries.map(\.count) == [expected])
            #expect(try Timeline(packed: timeline.packed) == timeline)
            // As a file of histories is read, and then added to.
            let reference = Reference()
            var table = TimelineTable()
            for _ in 0..<2 { table.load(timeline.packed, of: reference, createdAt: .at(0)) }
            _ = table.add([Self.note(reference, 3, "begun")], at: .at(3))
            #expect(try #require(table[reference, at: .at(3)]).entries[0].count >= min(expected, 3))
        }
    }

    @Test("more events than a history has are left out")
    func tooManyEvents() {
        let entries = (0..<200).map { Timeline.Entry(TimelineEvent("e\($0)"), first: .at(0), last: .at(0), count: 1) }
        #expect(Timeline(app: "app", share: .known, entries: entries).entries.count == Timeline.maximumEntries)
    }

    @Test("what loops and gateways see at one time counts for each of them", arguments: StoreUnderTest.all)
    func sameTime(store: StoreUnderTest) async throws {
        let store = try await store.make()
        let reference = Reference()
        for seconds in [[1, 3], [2], [1, 2, 3]] {
            try await store.keep(seconds.map { Self.note(reference, $0, "refused") }, at: .at(3))
        }
        let timeline = try #require(try await store.timeline(of: reference, at: .at(3)))
        #expect(Self.words(timeline) == ["refused ×6"])
        #expect(timeline.entries[0].first == .at(1) && timeline.entries[0].last == .at(3))
    }

    @Test("every store keeps a history for a day", arguments: StoreUnderTest.all)
    func lifetime(store: StoreUnderTest) async throws {
        let store = try await store.make()
        let (old, new) = (Reference(), Reference())
        try await store.keep([Self.note(old, 0, "begun")], at: .at(0))
        #expect(try await store.timeline(of: old, at: .at(86_000)) != nil)
        try await store.keep([Self.note(new, 86_500, "begun")], at: .at(86_500))
        #expect(try await store.timeline(of: old, at: .at(86_500)) == nil)
        #expect(try await store.timeline(of: new, at: .at(86_500)) != nil)
    }

    @Test("every store keeps so many entries of one sign-in and no more", arguments: StoreUnderTest.all)
    func entries(store: StoreUnderTest) async throws {
        let store = try await store.make()
        let reference = Reference()
        for part in 0..<4 {
            try await store.keep((0..<50).map { Self.note(reference, $0, "event\(part * 50 + $0)") }, at: .at(50))
        }
        let timeline = try #require(try await store.timeline(of: reference, at: .at(50)))
        #expect(timeline.entries.count == Timeline.maximumEntries)
        #expect(Self.words(timeline).contains("event0"))
    }

    @Test("every store bounds what it keeps, and a flood pushes out its own", arguments: StoreUnderTest.all)
    func flood(store: StoreUnderTest) async throws {
        let store = try await store.make()
        let (signIn, begun, refusal) = (Reference(), Reference(), Reference())
        try await store.keep(
            [
                Self.note(signIn, 0, "begun", share: .begun(by: 1)), Self.note(signIn, 0, "accepted", share: .returned),
                Self.note(begun, 0, "begun", share: .begun(by: 1)),
                Self.note(refusal, 0, "refused", share: .unasked(by: 1)),
            ], at: .at(0))
        var (begins, refusals): ([Reference], [Reference]) = ([], [])
        for part in 0..<24 {
            let fresh = (0..<500).map { _ in Reference() }
            let isBegin = part % 2 == 0
            if isBegin { begins += fresh } else { refusals += fresh }
            try await store.keep(
                fresh.map {
                    Self.note($0, 1 + part, "flood", share: isBegin ? .begun(by: 2) : .unasked(by: 2))
                }, at: .at(1 + part))
        }
        for part in 0..<8 {
            let fresh = (0..<1000).map { _ in Reference() }
            begins += fresh
            try await store.keep(
                fresh.map { Self.note($0, 40 + part, "flood", share: .begun(by: 2)) }, at: .at(40 + part))
        }
        #expect(try await store.timeline(of: signIn, at: .at(60)) != nil, "a sign-in that came back stays")
        #expect(try await store.timeline(of: begun, at: .at(60)) != nil, "another address's begin stays")
        #expect(try await store.timeline(of: refusal, at: .at(60)) != nil, "another address's refusal stays")
        var kept = 0
        let all = begins + refusals
        for index in stride(from: 0, to: all.count, by: 50) {
            if try await store.timeline(of: all[index], at: .at(60)) != nil { kept += 50 }
        }
        #expect(kept <= 10_500, "10,000, as far as every fiftieth tells")
        #expect(try await store.timeline(of: try #require(begins.last), at: .at(60)) != nil)
        #expect(try await store.timeline(of: try #require(begins.first), at: .at(60)) == nil)
        #expect(try await store.timeline(of: try #require(refusals.first), at: .at(60)) == nil)
    }

    @Test(
        "who has very many addresses pushes out nobody of whom more is known than an address",
        arguments: StoreUnderTest.all)
    func manyAddresses(store: StoreUnderTest) async throws {
        let store = try await store.make()
        let (vouched, redeemed, begun) = (Reference(), Reference(), Reference())
        try await store.keep(
            [
                Self.note(vouched, 0, "begun", share: .begun(by: 1, isVouchedFor: true)),
                Self.note(redeemed, 0, "begun", share: .begun(by: 2)),
                Self.note(redeemed, 0, "redeemed", share: .redeemed),
                Self.note(begun, 0, "begun", share: .begun(by: 3)),
            ], at: .at(0))
        var flood: [Reference] = []
        for part in 1...14 {
            let fresh = (0..<1000).map { _ in Reference() }
            flood += fresh
            let begins = fresh.enumerated().map { Self.note($1, part, "begun", share: .begun(by: $0)) }
            let returns = fresh[..<750].map { Self.note($0, part, "accepted", share: .returned) }
            let refusals = (0..<200).map { Self.note(Reference(), part, "refused", share: .unasked(by: $0)) }
            try await store.keep(begins + returns + refusals, at: .at(part))
        }
        #expect(try await store.timeline(of: vouched, at: .at(20)) != nil, "its app lets only some begin")
        #expect(try await store.timeline(of: redeemed, at: .at(20)) != nil, "an issuer gave tokens for it")
        #expect(try await store.timeline(of: begun, at: .at(20)) == nil, "it could be anybody's")
        for index in [13_000, 13_749, 13_750, 13_999] {
            #expect(try await store.timeline(of: flood[index], at: .at(20)) != nil, "the newest are kept of each kind")
        }
    }

    @Test("a history that is read from a file after more of it came is the whole of it")
    func readLate() throws {
        let reference = Reference()
        var earlier = TimelineTable()
        earlier.add([Self.note(reference, 0, "begun"), Self.note(reference, 1, "started")], at: .at(1))
        let written = try #require(earlier.packed(reference))
        var later = TimelineTable()
        later.add(
            [Self.note(reference, 3, "started"), Self.note(reference, 4, "accepted", share: .returned)], at: .at(4))
        let newer = try #require(later.packed(reference))
        var table = TimelineTable()
        table.load(written.bytes, of: reference, createdAt: written.createdAt)
        table.load(newer.bytes, of: reference, createdAt: newer.createdAt)
        #expect(Self.words(table[reference, at: .at(5)]) == ["begun", "started ×2", "accepted"])
        #expect(table.packed(reference)?.createdAt == .at(1) && table.count == 1)
    }

    @Test("a value in a history is one short line, whatever it was")
    func values() {
        let event = TimelineEvent(
            "refused", [("reason", "a\u{1F}b\nc")],
            particulars: [("from", String(repeating: "é", count: 300)), ("by", "x=y")])
        #expect(event.name == "refused")
        #expect(event.details.map(\.name) == ["reason", "from", "by"])
        #expect(event["reason"] == "a b c" && event["by"] == "x=y")
        #expect(event["from"]?.utf8.count == 160)
    }

    @Test("a share is a number and back")
    func shares() {
        for number in 0..<TimelineShare.count { #expect(TimelineShare(number: number)?.number == number) }
        #expect(TimelineShare(number: TimelineShare.count) == nil && TimelineShare(number: -1) == nil)
        #expect(
            TimelineShare.begun(by: 3).joined(by: .returned).joined(by: .known)
                == TimelineShare.returned.joined(by: .begun(by: 3)))
        #expect(
            TimelineShare.begun(by: 3, isVouchedFor: true).joined(by: .redeemed)
                == TimelineShare.begun(by: 3, isVouchedFor: true))
    }

    @Test(
        "a reference is read as people say it",
        arguments: ["7KX2M0Q91T", "7kx2m0q91t", "7kx2m-0q91t", " 7KX2 M0Q9 1T ", "7KX2MOQ9LT", "7kx2moq9it"])
    func said(text: String) {
        #expect(Reference(said: text).map { "\($0)" } == "7KX2M0Q91T")
    }

    @Test(
        "what is no reference is none",
        arguments: ["", "7KX2M0Q91", "7KX2M0Q91TT", "7KX2M0Q91U", "7KX2M/Q91T", "７KX2M0Q91T"])
    func notSaid(text: String) { #expect(Reference(said: text) == nil) }
}

extension TimelineStore {
    /// Adds what has to be taken whole.
    func keep(_ notes: [TimelineNote], at now: Timestamp) async throws {
        if let shortfall = await add(notes, at: now) { throw shortfall.reason }
    }
}
