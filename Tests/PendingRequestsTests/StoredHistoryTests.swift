import Testing

@testable import SwitchyardPendingRequests
@testable import SwitchyardRedisStore

/// A history as a store has it that others may write into.
@Suite("Stored history") struct StoredHistoryTests {
    private static func timeline(
        _ name: String, _ first: Int, _ last: Int, count: Int = 1, app: String = "app", room: TimelineRoom = .requests
    ) -> Timeline {
        let entry = Timeline.Entry(TimelineEvent(name), first: .at(first), last: .at(last), count: count)
        return Timeline(app: app, room: room, entries: [entry])
    }

    private static func part(_ timeline: Timeline, isInDoubt: Bool = false) -> [UInt8] {
        StoredHistory.part(timeline, addedAt: .at(10), isInDoubt: isInDoubt)
    }

    @Test("parts are one history, which is of a request as soon as one of them is")
    func parts() throws {
        let value =
            Self.part(Self.timeline("refused", 1, 2, count: 2, app: "", room: .unasked))
            + Self.part(Self.timeline("begun", 3, 3)) + Self.part(Self.timeline("refused", 4, 4))
        let history = try #require(StoredHistory(value).timeline(at: .at(11)))
        #expect(history.app == "app" && history.room == .requests)
        #expect(history.entries.map(\.event.name) == ["refused", "begun"] && history.entries.map(\.count) == [3, 1])
        #expect(history.entries[0].first == .at(1) && history.entries[0].last == .at(4))
        let joined = try #require(StoredHistory(value).joined)
        #expect(joined.count < value.count && StoredHistory(joined).timeline(at: .at(11)) == history)
    }

    @Test("events that were given twice, because an answer was lost, count once; others of their kind count")
    func doubt() throws {
        let first = Self.part(Self.timeline("begun", 1, 3, count: 2))
        func count(_ first: Int, _ last: Int, isInDoubt: Bool) -> Int? {
            let second = Self.part(Self.timeline("begun", first, last, count: 2), isInDoubt: isInDoubt)
            return StoredHistory(Self.part(Self.timeline("begun", 1, 3, count: 2)) + second)
                .timeline(at: .at(11))?.entries.first?.count
        }
        #expect(count(1, 3, isInDoubt: true) == 2)
        #expect(count(1, 3, isInDoubt: false) == 4)
        #expect(count(1, 4, isInDoubt: true) == 4)
        // The first try was lost altogether.
        let alone = Self.part(Self.timeline("begun", 1, 3, count: 2), isInDoubt: true)
        #expect(StoredHistory(alone).timeline(at: .at(11)) == StoredHistory(first).timeline(at: .at(11)))
    }

    @Test("it is kept for a day after its first part")
    func age() {
        let value = Self.part(Self.timeline("begun", 1, 1))
        #expect(StoredHistory(value).timeline(at: .at(86_409)) != nil)
        #expect(StoredHistory(value).timeline(at: .at(86_410)) == nil)
        #expect(StoredHistory([]).timeline(at: .at(0)) == nil && StoredHistory([]).joined == nil)
    }

    @Test("it is joined only where no byte is lost and some are saved")
    func joinedWithoutLoss() {
        let (good, more) = (Self.part(Self.timeline("begun", 1, 1)), Self.part(Self.timeline("begun", 2, 2)))
        #expect(StoredHistory(good).joined == nil)
        #expect(StoredHistory(good + more).joined != nil)
        for foreign in [[2], Array(good.dropLast()), Array(good.prefix(10)) + [0, 0, 0, 0, 0, 0, 0, 1, 0xFF]] {
            #expect(StoredHistory(good + more + foreign).joined == nil)
        }
    }

    @Test("what is no part ends it, and what a newer gateway has packed is left out")
    func foreign() throws {
        let (good, later) = (Self.part(Self.timeline("begun", 1, 1)), Self.part(Self.timeline("ended", 2, 2)))
        func names(_ value: [UInt8]) -> [String] {
            (StoredHistory(value).timeline(at: .at(11))?.entries ?? []).map(\.event.name)
        }
        #expect(names(good + [7] + later) == ["begun"])
        for count in 1..<later.count { #expect(names(good + later.prefix(count)) == ["begun"]) }
        var newer = good
        newer[18] = 99
        #expect(names(newer + later) == ["ended"])
        // The longest length, and the latest time.
        #expect(names(good + [1, 0] + [UInt8](repeating: 255, count: 16) + later) == ["begun"])
        var timeless = good
        for index in 2..<10 { timeless[index] = index == 2 ? 127 : 255 }
        #expect(names(timeless) == ["begun"])
    }

    @Test("the largest numbers stay the largest")
    func largest() {
        let value = Self.part(Self.timeline("begun", 1, 1, count: .max))
        #expect(StoredHistory(value + value).timeline(at: .at(11))?.entries.map(\.count) == [.max])
    }
}
