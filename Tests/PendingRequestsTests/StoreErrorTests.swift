import SwitchyardCrypto
import SwitchyardOAuth
import SwitchyardReactor
import Synchronization
import TestSupport
import Testing

@testable import SwitchyardPendingRequests

@Suite("A store that fails") struct StoreErrorTests {
    private final class Told: Sendable {
        let words = Mutex<[String]>([])

        func hear(_ news: RequestRegistry.News) {
            let word =
                switch news {
                case .ended: "ended"
                case .storeFailed(let failure, _): "failed: \(failure)"
                case .storeBack: "back"
                case .keyMissing(let id): "missing \(id)"
                }
            words.withLock { $0.append(word) }
        }
    }

    private let store = FailingStore()
    private let told = Told()
    private let registry: RequestRegistry

    init() {
        registry = RequestRegistry(
            store: store,
            policy: .init(
                keys: .ephemeral(), quota: .roomy,
                lifetimes: .init(
                    request: .seconds(600), result: .seconds(60), release: .seconds(300), releaseAttempts: 3,
                    lease: .seconds(15))),
            report: { [told] in told.hear($0) })
    }

    private func claim(_ record: RequestRecord, _ registry: RequestRegistry) async throws -> RequestRecord {
        let state = try #require(registry.secrets(of: record)?.state)
        let response = try CheckedResponse.sample("A", state: state)
        return try await registry.claim(record, for: response).get()
    }

    private func begin() async throws -> RequestRecord {
        try await registry.begin(
            .init(
                app: "app", registration: SHA256Digest(of: "r"), redirectURI: "https://login.example/cb",
                completion: .tokens, scope: "", hostLabel: nil,
                beginner: .init(callerKey: nil, uid: nil, isAuthenticated: false),
                secrets: RequestSecrets(
                    state: Random.token(), verifier: nil, challenge: nil, nonce: nil, parameters: []))
        ).get().0
    }

    @Test(
        "every call says so to its caller, and one word goes to the operator",
        arguments: FailingStore.Operation.allCases.filter { $0 != .add && $0 != .timeline })
    func everyPath(operation: FailingStore.Operation) async throws {
        let record = try await begin()
        let claimed = try await claim(record, registry)
        store.fail([operation])
        for _ in 0..<5 {
            switch operation {
            case .insert: await #expect(throws: StoreError.self) { try await begin() }
            case .find: await #expect(throws: StoreError.self) { try await registry.find(.id(record.id)) }
            case .apply:
                await #expect(throws: StoreError.self) { try await registry.finish(claimed, .completed, answer: []) }
                await #expect(throws: StoreError.self) { try await registry.prolong(claimed) }
                await #expect(throws: StoreError.self) { try await registry.read(record) }
                await #expect(throws: StoreError.self) { try await registry.acknowledge(record.id) }
                await #expect(throws: StoreError.self) { try await registry.noteForeignWatcher(record.id) }
            case .age: await #expect(throws: StoreError.self) { try await registry.age() }
            case .usage: await #expect(throws: StoreError.self) { try await registry.usage() }
            case .use:
                await #expect(throws: StoreError.self) {
                    try await registry.use(proof: SHA256Digest(of: "p"), with: record, lifetime: .seconds(1))
                }
            case .add, .timeline: break
            }
        }
        #expect(told.words.withLock { $0 } == ["failed: the disk is full"])
        #expect(registry.storeFailure != nil)
        // It is back once time can pass again, and that is told once.
        store.fail([])
        for _ in 0..<3 { try await registry.age() }
        #expect(told.words.withLock { $0 } == ["failed: the disk is full", "back"])
        #expect(registry.storeFailure == nil)
    }

    @Test("a store that keeps no histories keeps requests all the same, and alarms nobody")
    func history() async throws {
        store.fail([.add, .timeline])
        let record = try await begin()
        let note = TimelineNote(of: record.reference, app: "app", at: .at(0), TimelineEvent("begun"))
        let shortfall = try #require(await registry.addToTimelines([note]))
        #expect(shortfall.reason.description == "the disk is full" && shortfall.waiting.count == 1)
        await #expect(throws: StoreError.self) { try await registry.timeline(of: record.reference) }
        #expect(try await registry.find(.id(record.id)) != nil)
        #expect(registry.storeFailure == nil && told.words.withLock { $0 }.isEmpty)
    }

    @Test("while some calls fail, the store is not called back by others that do not")
    func half() async throws {
        store.fail([.insert])
        await #expect(throws: StoreError.self) { try await begin() }
        #expect(try await registry.find(.id(RequestID())) == nil)
        #expect(registry.storeFailure != nil)
        #expect(told.words.withLock { $0 } == ["failed: the disk is full"])
    }

    @Test("a key that was taken out too early is told once, and counts as missed until it is back")
    func missingKey() async throws {
        let record = try await begin()
        let ring = registry.policy.keys
        let key = try #require(KeyRing.Key(id: "k2", secret: Secret(Random.bytes(32))))
        let policy = registry.policy
        func adopt(_ keys: KeyRing) {
            registry.adopt(.init(keys: keys, quota: policy.quota, lifetimes: policy.lifetimes))
        }
        adopt(try #require(KeyRing([key])))
        for _ in 0..<3 {
            let error = await #expect(throws: StoreError.self) { try await registry.find(.id(record.id)) }
            #expect(error?.missingKey == "ephemeral")
        }
        #expect(told.words.withLock { $0 } == ["missing ephemeral"])
        #expect(registry.keysMissed == ["ephemeral"])
        #expect(registry.storeFailure == nil)
        adopt(ring)
        #expect(try await registry.find(.id(record.id)) == record)
        #expect(registry.keysMissed.isEmpty)
    }

    @Test("the first caller that sees an expired request writes its end, and it is reported once")
    func lapsed() async throws {
        let now = Mutex(Timestamp.at(0))
        let registry = RequestRegistry(
            store: store,
            policy: .init(
                keys: .ephemeral(), quota: .roomy,
                lifetimes: .init(
                    request: .seconds(600), result: .seconds(60), release: .seconds(300), releaseAttempts: 3,
                    lease: .seconds(15))),
            clock: { now.withLock { $0 } }, report: { [told] in told.hear($0) })
        let record = try await registry.begin(
            .init(
                app: "app", registration: SHA256Digest(of: "r"), redirectURI: "https://login.example/cb",
                completion: .tokens, scope: "", hostLabel: nil,
                beginner: .init(callerKey: nil, uid: nil, isAuthenticated: false),
                secrets: RequestSecrets(state: "s", verifier: nil, challenge: nil, nonce: nil, parameters: []))
        ).get().0
        let claimed = try await claim(record, registry)
        now.withLock { $0 = .at(14) }
        #expect(try await registry.find(.id(record.id)) == claimed)
        now.withLock { $0 = .at(15) }
        let failed = try #require(try await registry.find(.id(record.id)))
        #expect(Walk.words(failed) == "failed internal")
        #expect(try await store.find(.id(record.id)) == failed)
        try await registry.age()
        #expect(told.words.withLock { $0 } == ["ended"])
        let late = try await registry.finish(claimed, .completed, answer: [])
        #expect(throws: RequestTransition.Refusal.notNow) { try late.get() }
    }
}
