import SwitchyardCrypto
import SwitchyardPendingRequests
import Testing

/// What is kept counts until it is gone (rules: limits everywhere).
@Suite("Any store: bytes") struct KeptBytesTests {
    private static let size = 600

    /// A request that counts more than ``size`` bytes.
    private static func record(_ address: String = "192.0.2.1", isAuthenticated: Bool = false) -> RequestRecord {
        RequestRecord(
            id: RequestID(), reference: Reference(), app: "app", registration: SHA256Digest(of: "r"),
            redirectURI: "https://login.example/cb", completion: .tokens, scope: "", hostLabel: nil,
            beginner: .init(addressKey: address, uid: nil, isAuthenticated: isAuthenticated),
            stateHash: SHA256Digest(of: Random.token()), resultTokenHash: SHA256Digest(of: "t"), createdAt: .at(0),
            expiresAt: .at(600), sealedSecrets: [UInt8](repeating: 1, count: size))
    }

    @Test("an address that has as many bytes as it may begins no more, and others do", arguments: StoreUnderTest.all)
    func perAddress(test: StoreUnderTest) async throws {
        let store = try await test.make()
        let quota = RequestQuota.roomy(bytesPerAddress: 20 * Self.size)
        var count = 0
        while try await store.refusal(of: Self.record(), quota: quota) == nil { count += 1 }
        #expect((8...19).contains(count))
        #expect(try await store.refusal(of: Self.record(), quota: quota) == .tooManyBytesForAddress)
        #expect(try await store.refusal(of: Self.record("192.0.2.2"), quota: quota) == nil)
    }

    @Test("altogether there is an end too, with a tenth for callers that authenticate", arguments: StoreUnderTest.all)
    func altogether(test: StoreUnderTest) async throws {
        let store = try await test.make()
        let quota = RequestQuota.roomy(bytes: 50 * Self.size)
        var count = 0
        while try await store.refusal(of: Self.record("\(count)"), quota: quota) == nil { count += 1 }
        #expect(try await store.refusal(of: Self.record("x"), quota: quota) == .tooManyBytes)
        #expect(try await store.refusal(of: Self.record("x", isAuthenticated: true), quota: quota) == nil)
        #expect(try await store.usage().bytes <= 50 * Self.size)
    }

    @Test("a failure that nobody collects counts for its address until it is gone", arguments: StoreUnderTest.all)
    func uncollected(test: StoreUnderTest) async throws {
        let store = try await test.make()
        let quota = RequestQuota.roomy(bytesPerAddress: 64 << 10)
        let answer = [UInt8](repeating: 2, count: 10 << 10)
        func fail() async throws -> InsertionRefusal? {
            let record = Self.record()
            if let refusal = try await store.refusal(of: record, quota: quota) { return refusal }
            try await store.step(.claim(by: "A", at: .at(1)), .id(record.id), at: .at(1))
            let outcome = RequestRecord.Outcome(
                kind: .failed("server_error"), finishedAt: .at(1), sealedResult: answer, discardAt: .at(600))
            let claimant = RequestRecord.Claim.sampleClaimant
            _ = try await store.step(.finish(outcome, claimant: claimant), .id(record.id), at: .at(1)).get()
            return nil
        }
        var count = 0
        while try await fail() == nil { count += 1 }
        #expect((5...7).contains(count))
        #expect(try await store.usage().pending == 0)
        #expect(try await store.usage().bytes > count * answer.count)
        #expect(try await fail() == .tooManyBytesForAddress)
        _ = try await store.age(at: .at(601))
        #expect(try await fail() == nil)
    }

    @Test(
        "what was acknowledged no longer counts for its address, and little altogether", arguments: StoreUnderTest.all)
    func acknowledged(test: StoreUnderTest) async throws {
        let store = try await test.make()
        let quota = RequestQuota.roomy(bytesPerAddress: 20 * Self.size)
        for _ in 0..<100 {
            let record = Self.record()
            #expect(try await store.refusal(of: record, quota: quota) == nil)
            try await store.complete(record, at: .at(1))
            _ = try await store.step(.acknowledge, .id(record.id), at: .at(1)).get()
        }
        let usage = try await store.usage()
        #expect(usage.kept == 100 && usage.pending == 0 && usage.bytes < 100 * 320)
    }

    @Test("a callback for which there is no room consumes nothing, and may come again", arguments: StoreUnderTest.all)
    func callbacks(test: StoreUnderTest) async throws {
        let store = try await test.make()
        let record = Self.record()
        #expect(try await store.refusal(of: record) == nil)
        let full = RequestQuota.roomy(bytes: 1024)
        let parked = RequestRecord.Parked(sealed: [UInt8](repeating: 3, count: 1024), until: .at(60))
        for step in [.claim(by: "A", at: .at(1)), .hold(by: "A", at: .at(1)), .park(parked)] as [RequestTransition] {
            let outcome = try await store.step(step, .id(record.id), at: .at(1), quota: full)
            #expect(throws: RequestTransition.Refusal.noRoom) { try outcome.get() }
            #expect(try await store.find(.id(record.id)) == record)
        }
        _ = try await store.step(.claim(by: "A", at: .at(1)), .id(record.id), at: .at(1)).get()
        // What was claimed comes to its end, room or not.
        _ = try await store.step(.complete(at: .at(1)), .id(record.id), at: .at(1), quota: full).get()
    }

    @Test("tombstones make room for what is alive", arguments: StoreUnderTest.all)
    func room(test: StoreUnderTest) async throws {
        let store = try await test.make()
        let quota = RequestQuota.roomy(bytes: 64 << 10)
        for _ in 0..<900 {
            let record = Self.record()
            #expect(try await store.refusal(of: record, quota: quota) == nil)
            _ = try await store.step(.cancel(.sample(.canceled, at: .at(1))), .id(record.id), at: .at(1)).get()
            _ = try await store.step(.acknowledge, .id(record.id), at: .at(1)).get()
        }
        #expect(try await store.usage().bytes <= 64 << 10)
    }

    @Test("what is counted is given back to the last byte", arguments: StoreUnderTest.all)
    func balance(test: StoreUnderTest) async throws {
        let store = try await test.make()
        for way in Walk.starts.values {
            let record = try await store.add(.full())
            var now = Timestamp.at(5)
            for step in way.steps {
                if step == "wait" { now = .at(600) }
                guard let transition = Walk.transition(step, at: now) else { continue }
                _ = try await store.step(transition, .id(record.id), at: now).get()
            }
        }
        #expect(try await store.usage().kept == Walk.starts.count)
        _ = try await store.age(at: .at(10_000))
        _ = try await store.age(at: .at(20_000))
        #expect(try await store.usage() == StoreUsage(pending: 0, kept: 0, bytes: 0))
    }
}
