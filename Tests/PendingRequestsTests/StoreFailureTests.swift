import SwitchyardCrypto
import SwitchyardOAuth
import SwitchyardReactor
import Synchronization
import TestSupport
import Testing

@testable import SwitchyardPendingRequests

/// A store that fails where it is told to.
final class FailingStore: SharedStore {
    enum Operation: CaseIterable { case insert, find, apply, age, usage, use, add, timeline }

    private let inner = MemoryStore()
    private let failing = Mutex<Set<Operation>>([])
    private let losing = Mutex(false)

    /// From now on steps are taken, or no longer, whose caller is told that the store has failed.
    func loseAnswers(_ isLosing: Bool) { losing.withLock { $0 = isLosing } }

    func fail(_ operations: Set<Operation>) { failing.withLock { $0 = operations } }

    private func check(_ operation: Operation) throws(StoreFailure) {
        if failing.withLock({ $0.contains(operation) }) { throw StoreFailure("the disk is full") }
    }

    func insert(
        _ record: RequestRecord, within quota: RequestQuota
    ) async throws(StoreFailure) -> Result<Void, InsertionRefusal> {
        try check(.insert)
        return try await inner.insert(record, within: quota)
    }

    func find(_ key: RequestKey) async throws(StoreFailure) -> RequestRecord? {
        try check(.find)
        return try await inner.find(key)
    }

    func apply(
        _ transition: RequestTransition, to key: RequestKey, within quota: RequestQuota, at now: Timestamp
    ) async throws(StoreFailure) -> Result<RequestRecord, RequestTransition.Refusal> {
        try check(.apply)
        let result = try await inner.apply(transition, to: key, within: quota, at: now)
        try loseAnswer()
        return result
    }

    private func loseAnswer() throws(StoreFailure) {
        if losing.withLock(\.self) { throw StoreFailure("it took too long") }
    }

    func age(at now: Timestamp) async throws(StoreFailure) -> [RequestRecord] {
        try check(.age)
        return try await inner.age(at: now)
    }

    func usage() async throws(StoreFailure) -> StoreUsage {
        try check(.usage)
        return try await inner.usage()
    }

    func use(
        _ proof: ShortDigest, of request: RequestID, until: Timestamp, at now: Timestamp
    ) async throws(StoreFailure) -> ProofUse {
        try check(.use)
        let use = try await inner.use(proof, of: request, until: until, at: now)
        try loseAnswer()
        return use
    }

    func takeBack(
        _ proof: ShortDigest, of request: RequestID, until: Timestamp
    ) async throws(StoreFailure) {
        try check(.use)
        try await inner.takeBack(proof, of: request, until: until)
    }

    func add(_ notes: [TimelineNote], at now: Timestamp) async -> TimelineShortfall? {
        do throws(StoreFailure) {
            try check(.add)
            return await inner.add(notes, at: now)
        } catch {
            return TimelineShortfall(error, waiting: notes)
        }
    }

    func timeline(of reference: Reference, at now: Timestamp) async throws(StoreFailure) -> Timeline? {
        try check(.timeline)
        return try await inner.timeline(of: reference, at: now)
    }
}

@Suite("A store that fails") struct StoreFailureTests {
    private final class Told: Sendable {
        let words = Mutex<[String]>([])

        func hear(_ news: RequestRegistry.News) {
            let word =
                switch news {
                case .ended: "ended"
                case .storeFailed(let failure, _): "failed: \(failure)"
                case .storeBack: "back"
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
            tell: { [told] in told.hear($0) })
    }

    @Test("who waits hears of a step that the store took after its caller had given up")
    func lateStep() async throws {
        let test = try TestLoop()
        let claimed = try await claim(try await begin(), registry)
        let watch = registry.changes.watch(claimed.id, since: registry.changes.mark(claimed.id))
        store.loseAnswers(true)
        await #expect(throws: StoreFailure.self) { try await registry.finish(claimed, .completed, answer: [7]) }
        store.loseAnswers(false)
        try await registry.age()
        #expect(await test.run { await watch.signal.wait(until: Instant(nanoseconds: 0)) })
        #expect(try await registry.find(watch)?.isFinished == true)
    }

    private enum End: CaseIterable {
        case settle, refuseCode, miss, deny, cancel, fail, expire

        var kind: RequestRecord.Outcome.Kind {
            switch self {
            case .settle: .passedOn
            case .refuseCode, .fail: .failed(.releaseFailed)
            case .miss: .misproved
            case .deny: .denied
            case .cancel: .canceled
            case .expire: .expired
            }
        }
    }

    /// - Returns: the request as it is before the step that ends it.
    private func prepare(_ end: End) async throws -> RequestRecord {
        let record = try await begin()
        let state = try #require(registry.secrets(of: record)?.state)
        switch end {
        case .refuseCode:
            for code in ["A", "B"] {
                let response = try CheckedResponse.sample(code, state: state)
                _ = try await registry.refuseCode(of: response, for: record, answer: [7], ifLate: { _ in }).get()
            }
        case .miss, .deny:
            let response = try CheckedResponse.sample("A", state: state)
            let held = HeldResponse(.code(Secret("A")), proof: SHA256Digest(of: "p"))
            var waiting = try await registry.hold(record, for: response, from: nil, held, until: .code).get()
            guard end == .miss else { return waiting }
            for _ in 0..<2 { waiting = try await registry.miss(waiting, answer: [7], ifLate: { _ in }).get() }
            return waiting
        default: break
        }
        return record
    }

    private func take(
        _ end: End, of record: RequestRecord, ifLate tell: @escaping @Sendable (RequestRecord) -> Void
    ) async throws {
        let state = try #require(registry.secrets(of: record)?.state)
        let response = try CheckedResponse.sample("C", state: state)
        switch end {
        case .settle:
            _ = try await registry.settle(
                record, for: response, from: nil, release: .notNeeded, .passedOn, answer: [7], ifLate: tell)
        case .refuseCode: _ = try await registry.refuseCode(of: response, for: record, answer: [7], ifLate: tell)
        case .miss: _ = try await registry.miss(record, answer: [7], ifLate: tell)
        case .deny: _ = try await registry.deny(record, answer: [7], ifLate: tell)
        case .cancel: _ = try await registry.cancel(record, answer: [7], ifLate: tell)
        case .fail: _ = try await registry.fail(record, .releaseFailed, answer: [7], ifLate: tell)
        case .expire: _ = try await registry.expire(record.id, ifLate: tell)
        }
    }

    @Test("an end that the store took after its caller had given up is told once", arguments: End.allCases)
    private func lateEnd(end: End) async throws {
        let ends = Mutex<[RequestRecord]>([])
        let record = try await prepare(end)
        store.loseAnswers(true)
        await #expect(throws: StoreFailure.self) {
            try await take(end, of: record) { ended in ends.withLock { $0.append(ended) } }
        }
        store.loseAnswers(false)
        #expect(ends.withLock { $0.isEmpty })
        try await registry.age()
        #expect(ends.withLock { $0.map(\.outcome?.kind) } == [end.kind])
        try await registry.age()
        #expect(ends.withLock { $0.count } == 1)
    }

    @Test("such an end is told before what comes after it, and one that was not taken never")
    func lateEndFirst() async throws {
        let words = Mutex<[String]>([])
        let record = try await begin()
        store.loseAnswers(true)
        await #expect(throws: StoreFailure.self) {
            try await registry.cancel(record, answer: [7]) { _ in words.withLock { $0.append("canceled") } }
        }
        store.loseAnswers(false)
        if try await registry.acknowledge(record.id) { words.withLock { $0.append("acknowledged") } }
        #expect(words.withLock(\.self) == ["canceled", "acknowledged"])

        let other = try await begin()
        store.fail([.apply])
        await #expect(throws: StoreFailure.self) {
            try await registry.cancel(other, answer: [7]) { _ in words.withLock { $0.append("never") } }
        }
        store.fail([])
        try await registry.age()
        _ = try await registry.cancel(other, answer: [7], ifLate: { _ in }).get()
        try await registry.age()
        #expect(words.withLock { $0.count } == 2)
    }

    @Test("a callback whose mark the store took after its caller had given up may come again, here and elsewhere")
    func lateMark() async throws {
        let other = RequestRegistry(store: store, policy: registry.policy)
        func mark(_ name: String, _ registry: RequestRegistry, mayGoOn: Bool = false) async throws -> Bool {
            let digest = SHA256Digest(of: name)
            switch try await registry.markHandedOver(digest, mayGoOn: mayGoOn, lifetime: .seconds(600)) {
            case .new: return true
            case .came, .wentOn: return false
            }
        }
        for mayGoOn in [false, true] {
            for (name, next) in [("here \(mayGoOn)", registry), ("elsewhere \(mayGoOn)", other)] {
                store.loseAnswers(true)
                await #expect(throws: StoreFailure.self) { try await mark(name, registry, mayGoOn: mayGoOn) }
                store.loseAnswers(false)
                if next === other { try await registry.age() }
                #expect(try await mark(name, next, mayGoOn: mayGoOn), "\(name)")
                #expect(try await !mark(name, registry), "it is under way")
            }
        }
    }

    private func claim(_ record: RequestRecord, _ registry: RequestRegistry) async throws -> RequestRecord {
        let state = try #require(registry.secrets(of: record)?.state)
        let response = try CheckedResponse.sample("A", state: state)
        return try await registry.claim(record, for: response, from: nil, release: .notNeeded).get()
    }

    private func begin() async throws -> RequestRecord {
        try await registry.begin(
            .init(
                app: "app", registration: SHA256Digest(of: "r"), redirectURI: "https://login.example/cb",
                completion: .tokens, scope: "", hostLabel: nil,
                beginner: .init(addressKey: nil, uid: nil, isAuthenticated: false),
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
            case .insert: await #expect(throws: StoreFailure.self) { try await begin() }
            case .find: await #expect(throws: StoreFailure.self) { try await registry.find(.id(record.id)) }
            case .apply:
                await #expect(throws: StoreFailure.self) { try await registry.finish(claimed, .completed, answer: []) }
                await #expect(throws: StoreFailure.self) { try await registry.prolong(claimed) }
                await #expect(throws: StoreFailure.self) { try await registry.read(record) }
                await #expect(throws: StoreFailure.self) { try await registry.acknowledge(record.id) }
                await #expect(throws: StoreFailure.self) { try await registry.noteForeignWatcher(record.id) }
            case .age: await #expect(throws: StoreFailure.self) { try await registry.age() }
            case .usage: await #expect(throws: StoreFailure.self) { try await registry.usage() }
            case .use:
                await #expect(throws: StoreFailure.self) {
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
        await #expect(throws: StoreFailure.self) { try await registry.timeline(of: record.reference) }
        #expect(try await registry.find(.id(record.id)) != nil)
        #expect(registry.storeFailure == nil && told.words.withLock { $0 }.isEmpty)
    }

    @Test("while some calls fail, the store is not called back by others that do not")
    func half() async throws {
        store.fail([.insert])
        await #expect(throws: StoreFailure.self) { try await begin() }
        #expect(try await registry.find(.id(RequestID())) == nil)
        #expect(registry.storeFailure != nil)
        #expect(told.words.withLock { $0 } == ["failed: the disk is full"])
    }

    @Test("what time has ended is written by whoever sees it first, and told once")
    func lapsed() async throws {
        let now = Mutex(Timestamp.at(0))
        let registry = RequestRegistry(
            store: store,
            policy: .init(
                keys: .ephemeral(), quota: .roomy,
                lifetimes: .init(
                    request: .seconds(600), result: .seconds(60), release: .seconds(300), releaseAttempts: 3,
                    lease: .seconds(15))),
            clock: { now.withLock { $0 } }, tell: { [told] in told.hear($0) })
        let record = try await registry.begin(
            .init(
                app: "app", registration: SHA256Digest(of: "r"), redirectURI: "https://login.example/cb",
                completion: .tokens, scope: "", hostLabel: nil,
                beginner: .init(addressKey: nil, uid: nil, isAuthenticated: false),
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
