import SwitchyardPendingRequests
import TestSupport
import Testing

@Suite("Histories of sign-ins", .timeLimit(.minutes(1))) struct TimelineTests {
    /// The entries of a history, without times.
    private static func words(_ timeline: Timeline?) -> [String] {
        (timeline?.chronological ?? []).map { entry in
            let details = entry.event.details.map { " \($0.name)=\($0.value)" }.joined()
            return entry.event.name + details + (entry.count > 1 ? " ×\(entry.count)" : "")
        }
    }

    private static func note(
        _ reference: Reference, _ second: Int, _ name: String, app: String = "app", room: TimelineRoom = .requests
    ) -> TimelineNote {
        TimelineNote(of: reference, app: app, room: room, at: .at(second), TimelineEvent(name))
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
                TimelineNote(of: reference, app: "com.contoso.app1", at: .at(0), TimelineEvent("begun")),
                TimelineNote(of: reference, app: "com.contoso.app1", at: .at(2), refused),
                Self.note(other, 2, "begun"),
            ], at: .at(2))
        try await store.keep(
            [
                TimelineNote(of: reference, app: "com.contoso.app1", at: .at(3), again),
                TimelineNote(of: reference, app: "com.contoso.app1", at: .at(1), TimelineEvent("started")),
                TimelineNote(of: reference, app: "com.contoso.app1", at: .at(4), TimelineEvent("accepted")),
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
            let timeline = Timeline(app: "app", room: .requests, entries: [entry])
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
        #expect(Timeline(app: "app", room: .requests, entries: entries).entries.count == Timeline.maximumEntries)
    }

    @Test("simultaneous events of loops and gateways all count", arguments: StoreUnderTest.all)
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

    @Test(
        "made-up callbacks push out no history of a request, and no more than their room", arguments: StoreUnderTest.all
    )
    func floodOfCallbacks(store: StoreUnderTest) async throws {
        let store = try await store.make()
        let (signIn, refusal, matched) = (Reference(), Reference(), Reference())
        try await store.keep(
            [
                Self.note(signIn, 0, "begun"), Self.note(refusal, 0, "refused", room: .unasked),
                Self.note(matched, 0, "refused", room: .unasked), Self.note(matched, 0, "begun"),
            ], at: .at(0))
        var flood: [Reference] = []
        for part in 1...12 {
            let fresh = (0..<500).map { _ in Reference() }
            flood += fresh
            try await store.keep(fresh.map { Self.note($0, part, "refused", room: .unasked) }, at: .at(part))
        }
        #expect(try await store.timeline(of: signIn, at: .at(20)) != nil)
        #expect(try await store.timeline(of: matched, at: .at(20)) != nil, "it turned out to be of a request")
        #expect(try await store.timeline(of: refusal, at: .at(20)) == nil, "the oldest of its room")
        #expect(try await store.timeline(of: try #require(flood.last), at: .at(20)) != nil)
        #expect(try await kept(of: flood, in: store, at: .at(20)) <= 1100)
    }

    @Test(
        "a flood of begins pushes out the oldest histories of requests, and no callback's",
        arguments: StoreUnderTest.all)
    func floodOfBegins(store: StoreUnderTest) async throws {
        let store = try await store.make()
        let (signIn, refusal) = (Reference(), Reference())
        try await store.keep(
            [Self.note(signIn, 0, "begun"), Self.note(refusal, 0, "refused", room: .unasked)], at: .at(0))
        var flood: [Reference] = []
        for part in 1...12 {
            let fresh = (0..<1000).map { _ in Reference() }
            flood += fresh
            try await store.keep(fresh.map { Self.note($0, part, "begun") }, at: .at(part))
        }
        let latest = Reference()
        try await store.keep([Self.note(latest, 13, "begun")], at: .at(13))
        for part in 14...15 {
            try await store.keep((0..<500).map { _ in Self.note(Reference(), part, "begun") }, at: .at(part))
        }
        #expect(try await store.timeline(of: signIn, at: .at(20)) == nil, "12,000 began after it")
        #expect(try await store.timeline(of: latest, at: .at(20)) != nil, "1,000 began after it")
        #expect(try await store.timeline(of: refusal, at: .at(20)) != nil)
        #expect(try await kept(of: flood, in: store, at: .at(20)) <= 9100)
    }

    /// The number of histories that a store has, as far as every fiftieth tells.
    private func kept(of references: [Reference], in store: any TimelineStore, at now: Timestamp) async throws -> Int {
        var kept = 0
        // One of ten: the parts of a cluster each drop their own oldest, so one of fifty can be off by a tenth.
        for index in stride(from: 0, to: references.count, by: 10) {
            if try await store.timeline(of: references[index], at: now) != nil { kept += 10 }
        }
        return kept
    }

    @Test("a history that is read from a file after more of it came is the whole of it")
    func readLate() throws {
        let reference = Reference()
        var earlier = TimelineTable()
        earlier.add([Self.note(reference, 0, "begun"), Self.note(reference, 1, "started")], at: .at(1))
        let written = try #require(earlier.packed(reference))
        var later = TimelineTable()
        later.add(
            [Self.note(reference, 3, "started"), Self.note(reference, 4, "accepted")], at: .at(4))
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

    @Test("a history is of a request as soon as one of its events is")
    func rooms() {
        let notes = [TimelineRoom.unasked, .requests, .unasked].map { Self.note(Reference(), 0, "refused", room: $0) }
        #expect(Timeline(Array(notes.prefix(1)))?.room == .unasked)
        #expect(Timeline(notes)?.room == .requests)
    }

    @Test("a store without room gives up the oldest of the room that is too full, else one of a request")
    func tooFull() {
        #expect(TimelineRoom.tooFull([1000, 9000]) == nil)
        #expect(TimelineRoom.tooFull([1001, 9001]) == .unasked)
        #expect(TimelineRoom.tooFull([1000, 9001]) == .requests)
        #expect(TimelineRoom.tooFull([1000, 1], isFull: true) == .requests)
        #expect(TimelineRoom.tooFull([1, 0], isFull: true) == .unasked)
        #expect(TimelineRoom.tooFull([0, 0], isFull: true) == nil)
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
