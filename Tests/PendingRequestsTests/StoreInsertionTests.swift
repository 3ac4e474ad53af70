import SwitchyardCrypto
import SwitchyardPendingRequests
import SwitchyardRouting
import TestSupport
import Testing

@Suite("Any store: taking in") struct StoreInsertionTests {
    @Test("a request is found by its id and by its state, as it was taken in", arguments: StoreUnderTest.all)
    func found(test: StoreUnderTest) async throws {
        let store = try await test.make()
        for record in [RequestRecord.sample(state: "a state"), .full(state: "another state")] {
            _ = try await store.add(record)
            #expect(try await store.find(.id(record.id)) == record)
            #expect(try await store.find(.state(record.stateHash)) == record)
        }
    }

    @Test("an unknown id and an unknown state are not found", arguments: StoreUnderTest.all)
    func unknown(test: StoreUnderTest) async throws {
        let store = try await test.make()
        let record = try await store.add(.sample())
        #expect(try await store.find(.id(RequestID())) == nil)
        #expect(try await store.find(.state(SHA256Digest(of: "no"))) == nil)
        #expect(try await store.find(.id(record.id)) == record)
    }

    @Test("a state that is remembered is refused, also once its request is over", arguments: StoreUnderTest.all)
    func duplicateState(test: StoreUnderTest) async throws {
        let store = try await test.make()
        let first = try await store.add(.sample(state: "same"))
        let second = RequestRecord.sample(state: "same")
        #expect(try await store.refusal(of: second) == .stateInUse)
        #expect(try await store.find(.id(second.id)) == nil)
        #expect(try await store.usage().pending == 1)
        try await store.complete(first, at: .at(1))
        #expect(try await store.refusal(of: second) == .stateInUse)
    }

    @Test("requests that come at once have each its own answer", arguments: StoreUnderTest.all)
    func together(test: StoreUnderTest) async throws {
        let store = try await test.make()
        let records = (0..<200).map { RequestRecord.sample(state: "\($0 / 2)") }
        let taken = try await withThrowingTaskGroup(of: RequestRecord?.self) { group in
            for record in records {
                group.addTask { try await store.refusal(of: record) == nil ? record : nil }
            }
            return try await group.reduce(into: [RequestRecord]()) { taken, record in taken += record.map { [$0] } ?? []
            }
        }
        #expect(Set(taken.map(\.stateHash)).count == 100)
        #expect(taken.count == 100)
        for record in taken { #expect(try await store.find(.state(record.stateHash)) == record) }
        #expect(try await store.usage().pending == 100)
    }

    @Test("a quota is held to the exact count", arguments: StoreUnderTest.all)
    func quotas(test: StoreUnderTest) async throws {
        // A tenth of less than ten is zero, so there is no reserved share here.
        let quota = RequestQuota.roomy(total: 6, perApp: 4, perAddress: 2)
        let store = try await test.make()
        func add(_ app: AppID, _ address: String?) async throws -> InsertionRefusal? {
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
        #expect(try await store.usage().pending == 6)
    }

    @Test("a network has as many requests as it may, and others have theirs", arguments: StoreUnderTest.all)
    func perNetwork(test: StoreUnderTest) async throws {
        let quota = RequestQuota.roomy(perAddress: 2, perNetwork: 3)
        let store = try await test.make()
        func add(_ address: String) async throws -> InsertionRefusal? {
            try await store.refusal(of: .sample(address: address), quota: quota)
        }
        for address in ["192.0.2.1", "192.0.2.1", "192.0.2.2"] { #expect(try await add(address) == nil) }
        #expect(try await add("192.0.2.1") == .tooManyForAddress)
        #expect(try await add("192.0.2.3") == .tooManyForNetwork)
        #expect(try await add("192.0.3.1") == nil)
        let subnets = ["2001:db8:7::", "2001:db8:7:1::", "2001:db8:7:ffff::"]
        for address in subnets { #expect(try await add(address) == nil) }
        #expect(try await add("2001:db8:7:2::") == .tooManyForNetwork)
        #expect(try await add("2001:db8:8::") == nil)
        // A user of this machine is in no network.
        for _ in 0..<2 { #expect(try await add("uid 1000") == nil) }
        #expect(try await add("uid 1000") == .tooManyForAddress)
    }

    @Test("a caller that authenticates may go a tenth beyond its network's limit", arguments: StoreUnderTest.all)
    func beyondNetwork(test: StoreUnderTest) async throws {
        let quota = RequestQuota.roomy(perNetwork: 10)
        let store = try await test.make()
        func add(_ isAuthenticated: Bool) async throws -> InsertionRefusal? {
            try await store.refusal(
                of: .sample(address: "192.0.2.1", isAuthenticated: isAuthenticated), quota: quota)
        }
        for _ in 0..<10 { #expect(try await add(false) == nil) }
        #expect(try await add(false) == .tooManyForNetwork)
        #expect(try await add(true) == nil)
        #expect(try await add(true) == .tooManyForNetwork)
    }

    @Test("a request gives its network's place back when it ends", arguments: StoreUnderTest.all)
    func networkGivenBack(test: StoreUnderTest) async throws {
        let quota = RequestQuota.roomy(perNetwork: 1)
        let store = try await test.make()
        let record = RequestRecord.sample(address: "192.0.2.1")
        #expect(try await store.refusal(of: record, quota: quota) == nil)
        #expect(try await store.refusal(of: .sample(address: "192.0.2.2"), quota: quota) == .tooManyForNetwork)
        try await store.step(.cancel(.sample(.canceled, at: .at(1))), .id(record.id), at: .at(1))
        #expect(try await store.refusal(of: .sample(address: "192.0.2.2"), quota: quota) == nil)
        #expect(try await store.refusal(of: .sample(address: "192.0.2.3"), quota: quota) == .tooManyForNetwork)
    }

    @Test(
        "the last tenth of every limit but the address's is for callers that authenticate",
        arguments: StoreUnderTest.all)
    func reservedShare(test: StoreUnderTest) async throws {
        let quota = RequestQuota.roomy(total: 20, perApp: 10, perAddress: 20)
        let store = try await test.make()
        func add(_ app: AppID, _ isAuthenticated: Bool) async throws -> InsertionRefusal? {
            try await store.refusal(of: .sample(app: app, isAuthenticated: isAuthenticated), quota: quota)
        }
        for app in ["a", "b"] as [AppID] {
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
        let quota = RequestQuota.roomy(total: 9, perApp: 1, perAddress: 1)
        let ends = ["complete", "cancel", "expire", "abandon"]
        for end in ends {
            let store = try await test.make()
            let record = RequestRecord.sample()
            #expect(try await store.refusal(of: record, quota: quota) == nil)
            switch end {
            case "complete": try await store.complete(record, at: .at(1))
            case "cancel": try await store.step(.cancel(.sample(.canceled, at: .at(1))), .id(record.id), at: .at(1))
            case "expire": #expect(try await store.letTimePass(to: .at(601)).map(\.id) == [record.id])
            default:
                try await store.step(.claim(by: "A", at: .at(1)), .id(record.id), at: .at(1))
                #expect(try await store.letTimePass(to: .at(62)).map(\.id) == [record.id])
            }
            #expect(try await store.usage().pending == 0, "\(end)")
            // Steps on a finished request do not give its room back again.
            try await store.step(.acknowledge, .id(record.id), at: .at(602))
            try await store.step(.cancel(.sample(.canceled, at: .at(1))), .id(record.id), at: .at(602))
            #expect(try await store.usage().pending == 0, "\(end)")
            #expect(try await store.refusal(of: .sample(), quota: quota) == nil, "\(end)")
            #expect(try await store.refusal(of: .sample(), quota: quota) == .tooManyForApp, "\(end)")
        }
    }
}
