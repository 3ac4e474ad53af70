import SwitchyardCrypto
import SwitchyardPendingRequests
import Testing

/// Aging is held to the second after the one in which something was due: stores look about once a second.
@Suite("Any store: time") struct StoreAgingTests {
    @Test("an unanswered request expires, and its waiting caller is told once", arguments: StoreUnderTest.all)
    func expires(test: StoreUnderTest) async throws {
        let store = try await test.make()
        let record = try await store.add(.sample())
        #expect(try await store.letTimePass(to: .at(599)).isEmpty)
        #expect(try await store.words(record) == "pending")
        #expect(try await store.letTimePass(to: .at(601)).map(\.id) == [record.id])
        #expect(try await store.words(record) == "expired empty")
        #expect(try await store.letTimePass(to: .at(602)).isEmpty)
    }

    @Test(
        "work that nobody finishes fails after its lease", arguments: StoreUnderTest.all, ["claimed", "redeeming"])
    func lease(test: StoreUnderTest, phase: String) async throws {
        let store = try await test.make()
        let record = try await store.add(.sample())
        for step in try #require(Walk.starts[phase]).steps {
            _ = try await store.step(#require(Walk.transition(step, at: .at(10))), .id(record.id), at: .at(10)).get()
        }
        #expect(try await store.letTimePass(to: .at(69)).isEmpty)
        #expect(try await store.letTimePass(to: .at(71)).map(\.id) == [record.id])
        #expect(try await store.words(record) == "failed internal")
    }

    @Test("a lease that runs past the request's end is kept", arguments: StoreUnderTest.all)
    func lateLease(test: StoreUnderTest) async throws {
        let store = try await test.make()
        let record = try await store.add(.sample())
        try await store.step(.claim(by: "A", at: .at(590)), .id(record.id), at: .at(590))
        #expect(try await store.letTimePass(to: .at(640)).isEmpty)
        #expect(try await store.words(record) == "redeeming")
        try await store.step(.complete(at: .at(641)), .id(record.id), at: .at(641))
        #expect(try await store.words(record) == "completed")
    }

    @Test("a result goes when its lifetime after the first read is over", arguments: StoreUnderTest.all)
    func readResult(test: StoreUnderTest) async throws {
        let store = try await test.make()
        let record = try await store.add(.sample())
        try await store.complete(record, at: .at(5))
        _ = try await store.letTimePass(to: .at(50))
        try await store.step(.read(at: .at(51)), .id(record.id), at: .at(51))
        let again = try await store.step(.read(at: .at(100)), .id(record.id), at: .at(100))
        #expect(again == .failure(.repeated))
        _ = try await store.letTimePass(to: .at(110))
        #expect(try await store.words(record) == "completed read")
        _ = try await store.letTimePass(to: .at(112))
        #expect(try await store.words(record) == "completed empty read")
    }

    @Test("an unread result lives as long as its request", arguments: StoreUnderTest.all)
    func unreadResult(test: StoreUnderTest) async throws {
        let store = try await test.make()
        let record = try await store.add(.sample())
        try await store.complete(record, at: .at(5))
        for second in stride(from: 10, to: 600, by: 10) { _ = try await store.letTimePass(to: .at(second)) }
        #expect(try await store.words(record) == "completed")
        _ = try await store.letTimePass(to: .at(601))
        #expect(try await store.words(record) == "completed empty")
    }

    @Test(
        "a finished request is remembered for as long again as it could have lived, then forgotten with its state",
        arguments: StoreUnderTest.all)
    func forgotten(test: StoreUnderTest) async throws {
        let store = try await test.make()
        let finished = try await store.add(.sample(state: "finished"))
        try await store.complete(finished, at: .at(5))
        let expired = try await store.add(.sample(state: "expired"))
        for second in stride(from: 100, through: 1199, by: 1) { _ = try await store.letTimePass(to: .at(second)) }
        #expect(try await store.words(finished) == "completed empty")
        #expect(try await store.words(expired) == "expired empty")
        for second in 1200...1202 { _ = try await store.letTimePass(to: .at(second)) }
        for record in [finished, expired] {
            #expect(try await store.words(record) == nil)
            #expect(try await store.find(.state(record.stateHash)) == nil)
        }
        _ = try await store.add(.sample(state: "finished"))
    }

    @Test("aging after a long sleep does at once what was due meanwhile", arguments: StoreUnderTest.all)
    func longSleep(test: StoreUnderTest) async throws {
        let store = try await test.make()
        let records = [try await store.add(.sample()), try await store.add(.sample())]
        #expect(Set(try await store.letTimePass(to: .at(100_000)).map(\.id)) == Set(records.map(\.id)))
        for second in 100_001...100_003 { _ = try await store.letTimePass(to: .at(second)) }
        for record in records { #expect(try await store.find(.id(record.id)) == nil) }
        #expect(try await store.usage().isNothing)
    }

    @Test("a proof counts once with its request until it is too old", arguments: StoreUnderTest.all)
    func proofs(test: StoreUnderTest) async throws {
        let store = try await test.make()
        let (request, other) = (RequestID(), RequestID())
        #expect(try await store.use(.named("1"), of: request, until: .at(120), at: .at(0)) == .first)
        #expect(try await store.use(.named("1"), of: request, until: .at(121), at: .at(1)) == .repeated)
        #expect(try await store.use(.named("2"), of: request, until: .at(121), at: .at(1)) == .first)
        #expect(try await store.use(.named("1"), of: other, until: .at(121), at: .at(1)) == .first)
        _ = try await store.letTimePass(to: .at(60))
        #expect(try await store.use(.named("1"), of: request, until: .at(180), at: .at(60)) == .repeated)
        _ = try await store.letTimePass(to: .at(200))
        #expect(try await store.use(.named("1"), of: request, until: .at(320), at: .at(200)) == .first)
    }

    @Test(
        "a use that is undone was never there, but a later one stays", arguments: StoreUnderTest.all)
    func undone(test: StoreUnderTest) async throws {
        let store = try await test.make()
        let (id, other) = (RequestID(), RequestID())
        for id in [id, other] {
            #expect(try await store.use(.named("1"), of: id, until: .at(600), at: .at(0)) == .first)
        }
        try await store.undoUse(.named("1"), of: id, until: .at(600))
        #expect(try await store.use(.named("1"), of: other, until: .at(601), at: .at(1)) == .repeated)
        #expect(try await store.use(.named("1"), of: id, until: .at(601), at: .at(1)) == .first)
        // It is told of the first one once more, as a gateway does that has not heard the answer.
        try await store.undoUse(.named("1"), of: id, until: .at(600))
        #expect(try await store.use(.named("1"), of: id, until: .at(602), at: .at(2)) == .repeated)
        try await store.undoUse(.named("2"), of: RequestID(), until: .at(600))
    }

    @Test("a request has so many proofs in two minutes and no more, whoever sends them", arguments: StoreUnderTest.all)
    func manyProofs(test: StoreUnderTest) async throws {
        let store = try await test.make()
        let request = RequestID()
        func use(_ name: String, at second: Int) async throws -> OneTimeUse {
            try await store.use(.named(name), of: request, until: .at(second + 120), at: .at(second))
        }
        for number in 0..<OneTimeUse.maximum { #expect(try await use("\(number)", at: 0) == .first) }
        #expect(try await use("one more", at: 1) == .tooMany)
        #expect(try await use("0", at: 1) == .repeated)
        #expect(try await store.use(.named("0"), of: RequestID(), until: .at(120), at: .at(1)) == .first)
        // Room comes again without anybody having cleaned up.
        #expect(try await use("one more", at: 121) == .first)
    }

    @Test(
        "a failure that time brought about is there until its app could have asked, however many others are over",
        arguments: StoreUnderTest.all)
    func uncollectedFailures(test: StoreUnderTest) async throws {
        let store = try await test.make()
        let quota = RequestQuota.roomy(bytes: 96 << 10)
        let held = try await store.add(.sample(address: "192.0.2.7"))
        try await store.step(.hold(by: "A", at: .at(1)), .id(held.id), at: .at(1))
        let abandoned = try await store.add(.sample(address: "192.0.2.7"))
        try await store.step(.claim(by: "A", at: .at(1)), .id(abandoned.id), at: .at(1))
        _ = try await store.letTimePass(to: .at(302))
        // A flood of requests that are over, which make room for each other.
        for _ in 0..<1000 {
            let record = RequestRecord.sample()
            guard try await store.refusal(of: record, quota: quota) == nil else { continue }
            try await store.step(.cancel(.sample(.canceled, at: .at(303))), .id(record.id), at: .at(303), quota: quota)
            try await store.step(.acknowledge, .id(record.id), at: .at(303), quota: quota)
        }
        #expect(try await store.words(held) == "held too long")
        #expect(try await store.words(abandoned) == "failed internal")
        #expect(try await store.find(.id(held.id))?.beginner == held.beginner, "it counts for its address")
        _ = try await store.letTimePass(to: .at(601))
        #expect(try await store.words(held) == "held too long empty")
        #expect(try await store.find(.id(held.id))?.beginner.callerKey == nil)
    }

    @Test("a parked response goes when it is too old, and its request stays", arguments: StoreUnderTest.all)
    func parked(test: StoreUnderTest) async throws {
        let store = try await test.make()
        let record = try await store.add(.sample())
        let before = try await store.usage()
        let parked = RequestRecord.Parked(sealed: [1, 2, 3], until: .at(70))
        try await store.step(.park(parked), .id(record.id), at: .at(10))
        _ = try await store.letTimePass(to: .at(69))
        #expect(try await store.find(.id(record.id))?.parked == parked)
        _ = try await store.letTimePass(to: .at(71))
        #expect(try await store.find(.id(record.id)) == record)
        #expect(try await store.usage() == before)
        #expect(try await store.letTimePass(to: .at(601)).map(\.id) == [record.id])
    }
}
