import SwitchyardCrypto
import SwitchyardOAuth
import SwitchyardReactor
import TestSupport
import Testing

@testable import SwitchyardPendingRequests

@Suite("Request registry") struct RequestRegistryTests {
    private let store = MemoryStore()
    private let registry: RequestRegistry

    private static let roomyLifetimes = RequestRegistry.Lifetimes(
        request: .seconds(600), result: .seconds(60), release: .seconds(300), releaseAttempts: 3, lease: .seconds(60))

    /// With a key of its own each time.
    private static func policy(_ lifetimes: RequestRegistry.Lifetimes = roomyLifetimes) -> RequestRegistry.Policy {
        RequestRegistry.Policy(keys: .ephemeral(), quota: .roomy, lifetimes: lifetimes)
    }

    init() {
        registry = RequestRegistry(store: store, policy: Self.policy())
    }

    private static func beginning(state: String = Random.token()) -> RequestRegistry.Beginning {
        RequestRegistry.Beginning(
            app: "app", registration: SHA256Digest(of: "r"), redirectURI: "https://login.example/cb",
            completion: .tokens, scope: "openid",
            hostLabel: "box", beginner: .init(callerKey: "192.0.2.1", uid: nil, isAuthenticated: false),
            secrets: RequestSecrets(
                state: state, verifier: Secret("the-verifier-of-this-request"), challenge: nil,
                nonce: "the-nonce-of-this-request", parameters: []))
    }

    private func begin(state: String = Random.token()) async throws -> (record: RequestRecord, token: String) {
        let (record, token) = try await registry.begin(Self.beginning(state: state)).get()
        return (record, token)
    }

    @Test("a request that begins can be found, and lives for its lifetime")
    func begins() async throws {
        let (record, token) = try await begin(state: "the-state-of-this-request")
        #expect(record.expiresAt - record.createdAt == .seconds(600))
        #expect(record.resultTokenHash == ShortDigest(SHA256Digest(of: token)))
        #expect(try await registry.find(.id(record.id))?.id == record.id)
        let byState = RequestKey.state(SHA256Digest(of: "the-state-of-this-request"))
        #expect(try await registry.find(byState)?.id == record.id)
        #expect(try await registry.usage().pending == 1)
    }

    @Test("a code that came in another browser stays refused, and the third such code ends the request as failed")
    func strayCodes() async throws {
        let (record, _) = try await begin(state: "the-state-of-this-request")
        func refuse(_ code: String) async throws -> Result<RequestRecord?, RequestTransition.Refusal> {
            let response = try CheckedResponse.sample(code, state: "the-state-of-this-request")
            return try await registry.refuseCode(of: response, for: record, answer: Array("ended".utf8)) { _ in }
        }
        for code in ["one", "one", "two", "one"] { #expect(try await refuse(code).get()?.isFinished == false) }
        let stray = try CheckedResponse.sample("one", state: "the-state-of-this-request")
        #expect(try await registry.claim(record, for: stray).failure == .strayCode)
        let content = HeldResponse(.code(Secret("one")), proof: SHA256Digest(of: "p"))
        #expect(
            try await registry.hold(record, for: stray, content).failure
                == .strayCode)
        // An issuer may overlook such differences.
        for spelling in ["one%20", "%09o%0Ane", "one%3D%3D", "+one", "%C2%A0one", "one."] {
            let same = try CheckedResponse.sample(spelling, state: "the-state-of-this-request")
            #expect(try await registry.claim(record, for: same).failure == .strayCode)
        }
        #expect(try await registry.find(.id(record.id))?.strayCodes.count == 2)
        let ended = try #require(try await refuse("three").get())
        #expect(ended.outcome?.kind == .failed(.releaseFailed))
        #expect(try await registry.read(ended)?.answer == Array("ended".utf8))
        #expect(try await refuse("four").failure == .expired)
    }

    @Test("once a callback has claimed the request, another code conflicts with it, in whatever browser it comes")
    func strayCodeOfUsedState() async throws {
        let (record, _) = try await begin(state: "the-state-of-this-request")
        let response = try CheckedResponse.sample("A", state: "the-state-of-this-request")
        _ = try await registry.claim(record, for: response).get()
        let other = try CheckedResponse.sample("B", state: "the-state-of-this-request")
        let refused = try await registry.refuseCode(of: other, for: record, answer: []) { _ in }
        #expect(refused.failure == .conflicting)
    }

    @Test("bytes sealed for one request and purpose open for these only")
    func sealing() async throws {
        let (one, other) = (RequestID(), RequestID())
        let sealed = registry.seal("what the issuer said", "said", for: one)
        #expect(!sealed.contains("issuer"))
        #expect(registry.open(sealed, "said", for: one) == "what the issuer said")
        #expect(registry.open(sealed, "said", for: other) == nil)
        #expect(registry.open(sealed, "start", for: one) == nil)
        #expect(registry.open(sealed.dropLast(), "said", for: one) == nil)
    }

    @Test("result tokens carry 256 random bits and do not repeat")
    func tokens() async throws {
        var tokens: Set<String> = []
        for _ in 0..<100 { tokens.insert(try await begin().token) }
        #expect(tokens.count == 100)
        #expect(tokens.allSatisfy { Base64URL.decode($0)?.count == 32 })
    }

    @Test("the store holds neither state, verifier, nonce, result token nor result in the clear")
    func nothingInTheClear() async throws {
        let (record, token) = try await begin(state: "the-state-of-this-request")
        try await finish(record)
        var text = ""
        for kept in [record, try #require(try await registry.find(.id(record.id)))] {
            dump(kept, to: &text)
            text += String(decoding: kept.sealedSecrets, as: UTF8.self)
            text += String(decoding: kept.outcome?.sealedAnswer ?? [], as: UTF8.self)
        }
        #expect(text.contains("https://login.example/cb"))
        for secret in ["the-state-of", "the-verifier-of", "the-nonce-of", "the-answer-of", token] {
            #expect(!text.contains(secret), "\(secret)")
        }
    }

    @Test("secrets open for their own request only, and no more once it is over")
    func secrets() async throws {
        let first = try await begin(state: "first").record
        let second = try await begin(state: "second").record
        #expect(registry.secrets(of: first)?.state == "first")
        #expect(registry.secrets(of: first)?.verifier == Secret("the-verifier-of-this-request"))
        #expect(registry.secrets(of: Self.moved(first.sealedSecrets, to: second)) == nil)
        #expect(registry.secrets(of: Self.moved(second.sealedSecrets, to: second))?.state == "second")
        let other = RequestRegistry(store: store, policy: Self.policy())
        #expect(other.secrets(of: first) == nil)
        let over = try await registry.cancel(first, answer: [], report: { _ in }).get()
        #expect(registry.secrets(of: over) == nil)
    }

    /// The record with other sealed bytes in it, as somebody with access to a store could make it.
    private static func moved(_ sealed: [UInt8], to record: RequestRecord) -> RequestRecord {
        RequestRecord(
            id: record.id, reference: record.reference, app: record.app, registration: SHA256Digest(of: "r"),
            redirectURI: record.redirectURI,
            completion: record.completion, scope: record.scope, hostLabel: record.hostLabel,
            beginner: record.beginner, stateHash: record.stateHash, resultTokenHash: SHA256Digest(of: "t"),
            createdAt: record.createdAt, expiresAt: record.expiresAt, sealedSecrets: sealed)
    }

    @Test("a result can be read again and again, until it is acknowledged")
    func reading() async throws {
        let record = try await begin().record
        #expect(try await registry.read(record) == nil)
        try await finish(record)
        for number in 0..<3 {
            let reading = try #require(try await registry.read(record))
            #expect(reading.answer == Array("the-answer-of-this".utf8) && reading.isFirst == (number == 0))
        }
        #expect(try await registry.find(.id(record.id))?.outcome?.isCollected == true)
        #expect(try await registry.acknowledge(record.id))
        #expect(try await !registry.acknowledge(record.id), "one call has acknowledged it")
        #expect(try await registry.read(record) == nil)
    }

    @Test("exactly one callback claims a request, and its code is sent at most once")
    func claim() async throws {
        let record = try await begin().record
        let claimed = try await claim(record, "A").get()
        #expect(claimed.callback?.isOfBrowser(SHA256Digest(of: "browser of A")) == true)
        await #expect(throws: RequestTransition.Refusal.repeated) {
            try await claim(record, "A").get()
        }
        await #expect(throws: RequestTransition.Refusal.conflicting) {
            try await claim(record, "B").get()
        }
        let isRedeeming = if case .redeeming = claimed.phase { true } else { false }
        #expect(isRedeeming)
        #expect(try await registry.find(.id(record.id)) == claimed)
        _ = try await registry.finish(claimed, .completed, answer: [7]).get()
        #expect(try await registry.read(record)?.answer == [7])
    }

    @Test(
        "a release happens once, and says whether a code is about to be sent",
        arguments: [RequestTransition.Work.redemption, .answer])
    func release(for work: RequestTransition.Work) async throws {
        let record = try await begin().record
        let state = try #require(registry.secrets(of: record)?.state)
        let content = HeldResponse(.code(Secret("c")), proof: SHA256Digest(of: "p"))
        _ = try await registry.hold(record, for: try .sample("A", state: state), content).get()
        let released = try await registry.release(record.id, for: work).get()
        let isRedeeming = if case .redeeming = released.phase { true } else { false }
        #expect(isRedeeming == (work == .redemption))
        #expect(try await registry.find(.id(record.id)) == released)
        for again in [RequestTransition.Work.redemption, .answer] {
            await #expect(throws: RequestTransition.Refusal.notNow) {
                try await registry.release(record.id, for: again).get()
            }
        }
        await #expect(throws: RequestTransition.Refusal.conflicting) { try await claim(record, "B").get() }
        _ = try await registry.finish(released, .completed, answer: [7]).get()
        #expect(try await registry.read(record)?.answer == [7])
    }

    @Test("a canceled request has its failure to be read, and no callback gets it")
    func cancel() async throws {
        let record = try await begin().record
        _ = try await registry.cancel(record, answer: [7], report: { _ in }).get()
        #expect(try await registry.read(record)?.answer == [7])
        await #expect(throws: RequestTransition.Refusal.canceled) {
            try await claim(record, "A").get()
        }
    }

    @Test("visible changes, expiry included, wake a waiting caller, which gets the request as it ended")
    func changes() async throws {
        let hasty = RequestRegistry(
            store: store,
            policy: Self.policy(
                .init(
                    request: .zero, result: .seconds(60), release: .seconds(300), releaseAttempts: 3,
                    lease: .seconds(60))))
        let test = try TestLoop()
        func isUp(_ watch: RequestWatch) async -> Bool {
            await test.run { await watch.signal.wait(until: Instant(nanoseconds: 0)) }
        }

        let record = try await begin().record
        let watch = registry.changes.watch(record.id, since: registry.changes.revision(record.id))
        #expect(await isUp(watch) == false)
        let claimed = try await claim(record, "A").get()
        #expect(await isUp(watch) == false, "a claim looks like the wait before it")
        _ = try await claim(record, "B")
        #expect(await isUp(watch) == false, "a refused step is no change")
        #expect(watch.ended == nil)
        let finished = try await registry.finish(claimed, .completed, answer: [7]).get()
        #expect(await isUp(watch))
        #expect(watch.ended == finished)
        #expect(try await registry.find(watch) == finished)

        let (expiring, _) = try await hasty.begin(Self.beginning()).get()
        let last = hasty.changes.watch(expiring.id, since: hasty.changes.revision(expiring.id))
        // Due in the second that follows the one in which it began.
        while try await store.usage().pending > 0 {
            try await hasty.age()
            await test.run { await EventLoop.sleep(until: .now() + .milliseconds(50)) }
        }
        #expect(await isUp(last))
    }

    @Test("an outcome for which an app waits here is read with the step that ends the request")
    func readAtOnce() async throws {
        func finish(
            _ state: String, _ release: RequestRecord.Release = .notNeeded, isCollecting: Bool
        ) async throws -> RequestRecord {
            let record = try await begin(state: state).record
            let revision = registry.changes.revision(record.id)
            let watch = registry.changes.watch(record.id, since: revision, isCollecting: isCollecting)
            defer { registry.changes.stop(watch) }
            let claim = RequestRegistry.Acceptance.redeem(by: registry.makeClaim(), release)
            let claimed = try await registry.accept(.sample("A", state: state), for: record, from: nil, claim).get()
            let outcome = registry.outcome(claimed, .completed, [7])
            return try await registry.finish(claimed, with: outcome) { _ in }.get()
        }
        let collected = try await finish("collected", isCollecting: true)
        #expect(collected.outcome?.isCollected == true)
        let reading = try #require(try await registry.read(collected))
        #expect(reading.answer == [7] && !reading.isFirst)
        // As if it had been read a moment later.
        let seen = try await finish("seen", isCollecting: false)
        #expect(try await registry.read(seen)?.isFirst == true)
        let read = try #require(try await registry.find(.id(seen.id))?.outcome)
        #expect(read.discardAt < seen.expiresAt)
        let outcome = try #require(collected.outcome)
        #expect(outcome.firstReadAt.map { outcome.discardAt - $0 } == .seconds(60))
        #expect(try await finish("near", .sameAddress, isCollecting: true).outcome?.isCollected == true)
    }

    @Test("a response claims, and is held for, its own request only")
    func anothersResponse() async throws {
        let record = try await begin(state: "first").record
        _ = try await begin(state: "second")
        let other = try CheckedResponse.sample("A", state: "second")
        await #expect(throws: RequestTransition.Refusal.unknown) {
            try await registry.claim(record, for: other).get()
        }
        let content = HeldResponse(.code(Secret("c")), proof: SHA256Digest(of: "p"))
        await #expect(throws: RequestTransition.Refusal.unknown) {
            try await registry.hold(record, for: other, content).get()
        }
        _ = try await claim(record, "A").get()
    }

    /// Gives the request the response with the code `name`.
    private func claim(
        _ record: RequestRecord, _ name: String
    ) async throws -> Result<RequestRecord, RequestTransition.Refusal> {
        let state = try #require(registry.secrets(of: record)?.state)
        return try await registry.claim(
            record, for: try .sample(name, state: state), from: SHA256Digest(of: "browser of \(name)"))
    }

    private func finish(_ record: RequestRecord) async throws {
        let claimed = try await claim(record, "A").get()
        _ = try await registry.finish(claimed, .completed, answer: Array("the-answer-of-this".utf8)).get()
    }
}

extension Result {
    fileprivate var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
