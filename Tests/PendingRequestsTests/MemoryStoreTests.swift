import SwitchyardPendingRequests
import Testing

@Suite("Memory store") struct MemoryStoreTests {
    /// Room for one finished request in each of the store's parts.
    private let store = MemoryStore(maximumRemembered: 16)

    private func finish(_ count: Int, acknowledging: Bool) async throws -> [RequestRecord] {
        var records: [RequestRecord] = []
        for _ in 0..<count {
            let record = try await store.add(.sample())
            try await store.complete(record, at: .at(1))
            if acknowledging { try await store.step(.acknowledge, .id(record.id), at: .at(2)) }
            records.append(record)
        }
        return records
    }

    private func remembered(_ records: [RequestRecord]) async throws -> Int {
        var count = 0
        for record in records where try await store.find(.id(record.id)) != nil { count += 1 }
        return count
    }

    @Test("finished requests above the maximum are forgotten, the oldest first, and their states with them")
    func trimmed() async throws {
        let records = try await finish(400, acknowledging: true)
        let newest = try #require(records.last)
        _ = try await store.letTimePass(to: .at(3))
        #expect(try await remembered(records) <= 16)
        #expect(try await store.find(.id(newest.id)) != nil)
        var states = 0
        for record in records where try await store.find(.state(record.stateHash)) != nil { states += 1 }
        #expect(states == (try await remembered(records)))
        #expect(try await store.usage().requests == states)
    }

    @Test("a result that its app has not taken is not trimmed, nor is what is unfinished")
    func kept() async throws {
        let unread = try await finish(100, acknowledging: false)
        var unfinished: [RequestRecord] = []
        for _ in 0..<100 { unfinished.append(try await store.add(.sample())) }
        let taken = try await finish(100, acknowledging: true)
        for second in 3...5 { _ = try await store.letTimePass(to: .at(second)) }
        #expect(try await remembered(unread) == 100)
        #expect(try await remembered(unfinished) == 100)
        #expect(try await remembered(taken) <= 16)
        #expect(try await store.usage().pending == 100)
    }
}
