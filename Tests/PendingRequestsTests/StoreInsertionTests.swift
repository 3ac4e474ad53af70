import SwitchyardCrypto
import SwitchyardPendingRequests
import Testing

@Suite("Any store: taking in") struct StoreInsertionTests {
    @Test("a request is found by its id and by its state, as it was taken in", arguments: StoreUnderTest.all)
    func found(test: StoreUnderTest) async throws {
        let store = try await test.make()
        let record = try await store.add(.sample(state: "a state"))
        for key in [RequestKey.id(record.id), .state(SHA256Digest(of: "a state"))] {
            let found = try #require(try await store.find(key))
            #expect(found.id == record.id)
            #expect(found.reference == record.reference)
            #expect(found.beginner == record.beginner)
            #expect(found.resultTokenHash == record.resultTokenHash)
            #expect(found.expiresAt == record.expiresAt)
            #expect(found.sealedSecrets == record.sealedSecrets)
            #expect(Walk.words(found) == "pending")
        }
    }

    @Test("an id and a state that nobody has are not found", arguments: StoreUnderTest.all)
    func unknown(test: StoreUnderTest) async throws {
        let store = try await test.make()
        let record = try await store.add(.sample())
        let found = try await store.find([.id(RequestID()), .id(record.id), .state(SHA256Digest(of: "no"))])
        #expect(found.map { $0?.id } == [nil, record.id, nil])
    }

    @Test("a state that is remembered is refused, also once its request is over", arguments: StoreUnderTest.all)
    func duplicateState(test: StoreUnderTest) async throws {
        let store = try await test.make()
        let first = try await store.add(.sample(state: "same"))
        let second = RequestRecord.sample(state: "same")
        #expect(try await store.refusal(of: second) == .stateInUse)
        #expect(try await store.find(.id(second.id)) == nil)
        #expect(try await store.pendingCount() == 1)
        try await store.complete(first, at: .at(1))
        #expect(try await store.refusal(of: second) == .stateInUse)
    }

    @Test("each request of a batch has its own answer", arguments: StoreUnderTest.all)
    func batch(test: StoreUnderTest) async throws {
        let store = try await test.make()
        let records = ["a", "a", "b"].map { RequestRecord.sample(state: $0) }
        let outcomes = try await store.insert(records, quota: .roomy).map { outcome in
            if case .failure(let refusal) = outcome { "\(refusal)" } else { "taken" }
        }
        #expect(outcomes == ["taken", "stateInUse", "taken"])
    }

    @Test("a quota is held to the exact count", arguments: StoreUnderTest.all)
    func quotas(test: StoreUnderTest) async throws {
        // A tenth of less than ten is nothing, so here is no reserved share.
        let quota = RequestQuota(total: 6, perApp: 4, perAddress: 2)
        let store = try await test.make()
        func add(_ app: String, _ address: String?) async throws -> InsertionRefusal? {
            try await store.refusal(of: .sample(app: app, address: address), quota: quota)
        }
        #expect(try await add("a", "x") == nil)
        #expect(try await add("b", "x") == nil)
        #expect(try await add("c", "x") == .tooManyForAddress)
        // Callers on a Unix socket have no address to count.
        for _ in 0..<3 { #expect(try await add("a", nil) == nil) }
        #expect(try await add("a", "y") == .tooManyForApp)
        #expect(try await add("c", "y") == nil)
        #expect(try await add("c", "z") == .tooMany)
        #expect(try await store.pendingCount() == 6)
    }

    @Test(
        "the last tenth of every limit but the address's is for callers that authenticate",
        arguments: StoreUnderTest.all)
    func reservedShare(test: StoreUnderTest) async throws {
        let quota = RequestQuota(total: 20, perApp: 10, perAddress: 20)
        let store = try await test.make()
        func add(_ app: String, _ isAuthenticated: Bool) async throws -> InsertionRefusal? {
            try await store.refusal(of: .sample(app: app, isAuthenticated: isAuthenticated), quota: quota)
        }
        for app in ["a", "b"] {
            for _ in 0..<9 { #expect(try await add(app, false) == nil) }
        }
        #expect(try await add("c", false) == .tooMany)
        #expect(try await add("a", true) == nil)
        #expect(try await add("a", true) == .tooManyForApp)
        #expect(try await add("c", true) == nil)
        #expect(try await add("c", true) == .tooMany)
    }

    @Test(
        "a request gives its place back when it ends, whatever way it ends, and only once",
        arguments: StoreUnderTest.all)
    func givenBack(test: StoreUnderTest) async throws {
        let quota = RequestQuota(total: 9, perApp: 1, perAddress: 1)
        let ends = ["complete", "cancel", "expire", "abandon"]
        for end in ends {
            let store = try await test.make()
            let record = RequestRecord.sample()
            #expect(try await store.refusal(of: record, quota: quota) == nil)
            switch end {
            case "complete": try await store.complete(record, at: .at(1))
            case "cancel": try await store.step(.cancel(.sample(.canceled, at: .at(1))), .id(record.id), at: .at(1))
            case "expire": #expect(try await store.age(at: .at(601)).map(\.id) == [record.id])
            default:
                try await store.step(.claim(by: "A", at: .at(1)), .id(record.id), at: .at(1))
                #expect(try await store.age(at: .at(62)).map(\.id) == [record.id])
            }
            #expect(try await store.pendingCount() == 0, "\(end)")
            // Steps on what is over give nothing back again.
            try await store.step(.acknowledge, .id(record.id), at: .at(602))
            try await store.step(.cancel(.sample(.canceled, at: .at(1))), .id(record.id), at: .at(602))
            #expect(try await store.pendingCount() == 0, "\(end)")
            #expect(try await store.refusal(of: .sample(), quota: quota) == nil, "\(end)")
            #expect(try await store.refusal(of: .sample(), quota: quota) == .tooManyForApp, "\(end)")
        }
    }
}
