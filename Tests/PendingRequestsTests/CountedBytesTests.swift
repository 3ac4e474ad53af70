import SwitchyardCrypto
import SwitchyardOAuth
import SwitchyardPendingRequests
import TestSupport
import Testing

/// Stored bytes count until they are gone (rules: limits everywhere).
@Suite("Any store: bytes") struct CountedBytesTests {
    /// The bytes of a request of these tests, and the most that it counts, with the room for its callback and result.
    private static let (size, most) = (600, 5500)

    private static func record(
        _ address: String = "192.0.2.1", isAuthenticated: Bool = false, needsProof: Bool = false
    ) -> RequestRecord {
        let stateHash = SHA256Digest(of: Random.token())
        return RequestRecord(
            id: RequestID(for: stateHash), reference: Reference(), app: "app", registration: SHA256Digest(of: "r"),
            redirectURI: "https://login.example/cb", completion: .tokens, scope: "", hostLabel: nil,
            beginner: .init(callerKey: address, uid: nil, isAuthenticated: isAuthenticated),
            stateHash: stateHash, resultTokenHash: SHA256Digest(of: "t"),
            proofKey: needsProof ? SHA256Digest(of: "k") : nil, createdAt: .at(0),
            expiresAt: .at(600), sealedSecrets: [UInt8](repeating: 1, count: size))
    }

    /// A held callback of this many bytes.
    private static func hold(_ bytes: Int) -> RequestTransition {
        let sealed = [UInt8](repeating: 5, count: bytes)
        return .hold(
            .named("A"), RequestRecord.Held(proof: .code, sealed: sealed, until: .at(300), attempts: 3),
            code: .named("A"))
    }

    private static func park(_ bytes: Int) -> RequestTransition {
        .park(RequestRecord.Parked(sealed: [UInt8](repeating: 3, count: bytes), until: .at(60)))
    }

    /// Steps that make a request count more than it did from its beginning on.
    private static var largeSteps: [RequestTransition] {
        [hold(16 << 10), park(16 << 10), .settle(by: "A", at: .at(1), size: 17 << 10)]
    }

    @Test("an address that has as many bytes as it may begins no more, and others do", arguments: StoreUnderTest.all)
    func perAddress(test: StoreUnderTest) async throws {
        let store = try await test.make()
        let quota = RequestQuota.roomy(bytesPerAddress: 20 * Self.most)
        var count = 0
        while try await store.refusal(of: Self.record(), quota: quota) == nil { count += 1 }
        #expect((20...25).contains(count))
        #expect(try await store.refusal(of: Self.record(), quota: quota) == .tooManyBytesForAddress)
        #expect(try await store.refusal(of: Self.record("192.0.2.2"), quota: quota) == nil)
    }

    @Test("a network that has as many bytes as it may begins no more, and others do", arguments: StoreUnderTest.all)
    func perNetwork(test: StoreUnderTest) async throws {
        let store = try await test.make()
        let quota = RequestQuota.roomy(bytesPerNetwork: 20 * Self.most)
        var count = 0
        while try await store.refusal(of: Self.record("192.0.2.\(count)"), quota: quota) == nil { count += 1 }
        #expect((20...25).contains(count))
        #expect(try await store.refusal(of: Self.record("192.0.2.200"), quota: quota) == .tooManyBytesForNetwork)
        #expect(try await store.refusal(of: Self.record("192.0.3.1"), quota: quota) == nil)
    }

    @Test("altogether there is an end too, with a tenth for callers that authenticate", arguments: StoreUnderTest.all)
    func altogether(test: StoreUnderTest) async throws {
        let store = try await test.make()
        let quota = RequestQuota.roomy(bytes: 50 * Self.most)
        var count = 0
        while try await store.refusal(of: Self.record("\(count)"), quota: quota) == nil { count += 1 }
        #expect(try await store.refusal(of: Self.record("x"), quota: quota) == .tooManyBytes)
        #expect(try await store.refusal(of: Self.record("x", isAuthenticated: true), quota: quota) == nil)
        #expect(try await store.usage().bytes <= 50 * Self.most)
    }

    @Test(
        "what a request is going to bring counts from its beginning, so that no flood refuses its callback",
        arguments: StoreUnderTest.all)
    func reserved(test: StoreUnderTest) async throws {
        let quota = RequestQuota.roomy(bytes: 50 * Self.most, bytesPerAddress: 20 * Self.most)
        let steps: [RequestTransition] = [
            .claim(by: "A", at: .at(1)), Self.hold(2 << 10), Self.park(2 << 10),
            .settle(by: "A", at: .at(1), size: 2 << 10),
        ]
        for step in steps {
            let store = try await test.make()
            let record = Self.record()
            #expect(try await store.refusal(of: record, quota: quota) == nil)
            // Everybody fills what there is, the request's own address too.
            while try await store.refusal(of: Self.record(), quota: quota) == nil {}
            var count = 0
            while try await store.refusal(of: Self.record("\(count)"), quota: quota) == nil { count += 1 }
            let before = try await store.usage()
            _ = try await store.step(step, .id(record.id), at: .at(1), quota: quota).get()
            #expect(try await store.usage().bytes <= before.bytes)
        }
    }

    @Test("a request whose calls need proofs counts those that are remembered with it", arguments: StoreUnderTest.all)
    func proofs(test: StoreUnderTest) async throws {
        let store = try await test.make()
        _ = try await store.add(Self.record())
        let one = try await store.usage().bytes
        let proved = try await store.add(Self.record(needsProof: true))
        #expect(try await store.usage().bytes >= 2 * one + 24 * OneTimeUse.maximum)
        try await store.step(.cancel(.sample(.canceled, at: .at(1))), .id(proved.id), at: .at(1))
        #expect(try await store.usage().bytes >= one + 24 * OneTimeUse.maximum, "it may still be collected")
        try await store.step(.acknowledge, .id(proved.id), at: .at(1))
        #expect(try await store.usage().bytes < one + 400)
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
                kind: .failed(.serverError), finishedAt: .at(1), answer: .sealed(answer), discardAt: .at(600))
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
        _ = try await store.letTimePass(to: .at(601))
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
        #expect(usage.requests == 100 && usage.pending == 0 && usage.bytes < 100 * 320)
    }

    @Test("a callback for which there is no room consumes nothing, and may come again", arguments: StoreUnderTest.all)
    func callbacks(test: StoreUnderTest) async throws {
        let store = try await test.make()
        let record = Self.record()
        #expect(try await store.refusal(of: record) == nil)
        let full = RequestQuota.roomy(bytes: 8 << 10)
        for step in Self.largeSteps {
            for quota in [full, .roomy(bytesPerAddress: 8 << 10), .roomy(bytes: 18 << 10)] {
                let outcome = try await store.step(step, .id(record.id), at: .at(1), quota: quota)
                #expect(throws: RequestTransition.Refusal.noRoom) { try outcome.get() }
                #expect(try await store.find(.id(record.id)) == record)
            }
        }
        _ = try await store.step(.claim(by: "A", at: .at(1)), .id(record.id), at: .at(1)).get()
        // A claimed request comes to its end, also without room.
        _ = try await store.step(.complete(at: .at(1)), .id(record.id), at: .at(1), quota: full).get()
    }

    @Test("a result that is larger than usual goes an eighth beyond, and no further", arguments: StoreUnderTest.all)
    func largeResults(test: StoreUnderTest) async throws {
        let store = try await test.make()
        let record = Self.record(isAuthenticated: true)
        #expect(try await store.refusal(of: record) == nil)
        _ = try await store.step(.claim(by: "A", at: .at(1)), .id(record.id), at: .at(1)).get()
        func finish(_ size: Int, _ quota: RequestQuota) async throws -> Result<RequestRecord, RequestTransition.Refusal>
        {
            let outcome = RequestRecord.Outcome(
                kind: .completed, finishedAt: .at(1), answer: .sealed([UInt8](repeating: 9, count: size)),
                discardAt: .at(600))
            let step = RequestTransition.finish(outcome, claimant: RequestRecord.Claim.sampleClaimant)
            return try await store.step(step, .id(record.id), at: .at(1), quota: quota)
        }
        for quota in [RequestQuota.roomy(bytes: 16 << 10), .roomy(bytesPerAddress: 16 << 10)] {
            let refused = try await finish(19 << 10, quota)
            #expect(throws: RequestTransition.Refusal.noRoom) { try refused.get() }
        }
        #expect(try await store.find(.id(record.id))?.isFinished == false)
        _ = try await finish(17 << 10, .roomy(bytes: 16 << 10, bytesPerAddress: 16 << 10)).get()
    }

    @Test(
        "what grows counts for its address, and leaves the tenth to callers that authenticate",
        arguments: StoreUnderTest.all)
    func growth(test: StoreUnderTest) async throws {
        for step in Self.largeSteps {
            let store = try await test.make()
            let (one, other, trusted) = (
                Self.record(), Self.record("192.0.2.2"), Self.record("192.0.2.3", isAuthenticated: true)
            )
            for record in [one, other, trusted] { #expect(try await store.refusal(of: record) == nil) }
            let usage = try await store.usage().bytes
            func take(_ record: RequestRecord, _ quota: RequestQuota) async throws -> Bool {
                let outcome = try await store.step(step, .id(record.id), at: .at(1), quota: quota)
                return if case .success = outcome { true } else { false }
            }
            #expect(try await !take(one, .roomy(bytesPerAddress: 33 << 9)))
            #expect(try await take(one, .roomy(bytesPerAddress: 22 << 10)))
            // Altogether there is room for one more, within the last tenth.
            let bytes = try await store.usage().bytes + (try await store.usage().bytes - usage)
            #expect(try await !take(other, .roomy(bytes: bytes)))
            #expect(try await take(trusted, .roomy(bytes: bytes)))
        }
    }

    @Test(
        "an address that has no room left makes nobody forget what is over", arguments: StoreUnderTest.all)
    func neighbors(test: StoreUnderTest) async throws {
        let store = try await test.make()
        let over = try await store.add(Self.record("192.0.2.2"))
        try await store.complete(over, at: .at(1))
        try await store.step(.acknowledge, .id(over.id), at: .at(1))
        let record = try await store.add(Self.record())
        for _ in 0..<100 {
            let refused = try await store.step(
                Self.park(16 << 10), .id(record.id), at: .at(1), quota: .roomy(bytesPerAddress: 8 << 10))
            #expect(throws: RequestTransition.Refusal.noRoom) { try refused.get() }
        }
        #expect(try await store.words(over) == "completed empty taken")
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

    @Test("counted bytes are given back to the last one", arguments: StoreUnderTest.all)
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
        #expect(try await store.usage().requests == Walk.starts.count)
        _ = try await store.letTimePass(to: .at(10_000))
        _ = try await store.letTimePass(to: .at(20_000))
        #expect(try await store.usage().isNothing)
    }
}
