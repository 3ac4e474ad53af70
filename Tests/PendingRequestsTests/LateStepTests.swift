import SwitchyardCrypto
import SwitchyardOAuth
import SwitchyardReactor
import Synchronization
import TestSupport
import Testing

@testable import SwitchyardPendingRequests

@Suite("What a store takes after its caller has given up") final class LateStepTests: Sendable {
    private let store = FailingStore()
    private let now = Mutex(Timestamp.at(0))
    /// The reports of ends by time.
    private let ended = Mutex<[RequestRecord]>([])
    private let registry: RequestRegistry

    init() {
        registry = RequestRegistry(store: store, policy: Self.policy(.roomy))
    }

    private static func policy(_ quota: RequestQuota) -> RequestRegistry.Policy {
        RequestRegistry.Policy(
            keys: .ephemeral(), quota: quota,
            lifetimes: .init(
                request: .seconds(600), result: .seconds(60), release: .seconds(300), releaseAttempts: 3,
                lease: .seconds(15)))
    }

    private static func beginning(state: String) -> RequestRegistry.Beginning {
        RequestRegistry.Beginning(
            app: "app", registration: SHA256Digest(of: "r"), redirectURI: "https://login.example/cb",
            completion: .tokens, scope: "", hostLabel: nil,
            beginner: .init(callerKey: nil, uid: nil, isAuthenticated: false),
            secrets: RequestSecrets(state: state, verifier: nil, challenge: nil, nonce: nil, parameters: []))
    }

    private func begin() async throws -> RequestRecord {
        try await registry.begin(Self.beginning(state: Random.token())).get().0
    }

    private func response(_ code: String, to record: RequestRecord) throws -> CheckedResponse {
        try CheckedResponse.sample(code, state: try #require(registry.secrets(of: record)?.state))
    }

    private func claim(_ record: RequestRecord) async throws -> RequestRecord {
        try await registry.claim(record, for: response("A", to: record)).get()
    }

    /// Runs what the store takes without saying so.
    private func withoutAnswers<Value>(_ step: () async throws -> Value) async {
        store.loseAnswers(true)
        await #expect(throws: StoreError.self) { try await step() }
        store.loseAnswers(false)
    }

    @Test("a waiting caller hears of a step that the store took after its own caller had given up")
    func lateStep() async throws {
        let test = try TestLoop()
        let claimed = try await claim(try await begin())
        let watch = registry.changes.watch(claimed.id, since: registry.changes.revision(claimed.id))
        await withoutAnswers { try await registry.finish(claimed, .completed, answer: [7]) }
        try await registry.age()
        #expect(await test.run { await watch.signal.wait(until: Instant(nanoseconds: 0)) })
        #expect(try await registry.find(watch)?.isFinished == true)
    }

    private enum End: CaseIterable {
        case settle, refuseCode, miss, deny, cancel, fail, expire, finish

        var kind: RequestRecord.Outcome.Kind {
            switch self {
            case .settle: .passedOn
            case .refuseCode, .fail: .failed(.releaseFailed)
            case .miss: .misproved
            case .deny: .denied
            case .cancel: .canceled
            case .expire: .expired
            case .finish: .completed
            }
        }
    }

    /// - Returns: the request as it is before the step that ends it.
    private func prepare(_ end: End) async throws -> RequestRecord {
        let record = try await begin()
        switch end {
        case .refuseCode:
            for code in ["A", "B"] {
                let response = try response(code, to: record)
                _ = try await registry.refuseCode(of: response, for: record, answer: [7], report: { _ in }).get()
            }
        case .miss, .deny:
            let response = try response("A", to: record)
            let held = HeldResponse(.code(Secret("A")), proof: SHA256Digest(of: "p"))
            var waiting = try await registry.hold(record, for: response, held).get()
            guard end == .miss else { return waiting }
            for _ in 0..<2 { waiting = try await registry.miss(waiting, answer: [7], report: { _ in }).get() }
            return waiting
        case .finish: return try await claim(record)
        case .settle, .cancel, .fail, .expire: break
        }
        return record
    }

    private func take(
        _ end: End, of record: RequestRecord, report: @escaping RequestRegistry.Report
    ) async throws {
        switch end {
        case .settle:
            let response = try response("C", to: record)
            _ = try await registry.accept(
                response, for: record, from: nil, .end(.passedOn, answer: [7], .notNeeded), report: report)
        case .refuseCode:
            let response = try response("C", to: record)
            _ = try await registry.refuseCode(of: response, for: record, answer: [7], report: report)
        case .miss: _ = try await registry.miss(record, answer: [7], report: report)
        case .deny: _ = try await registry.deny(record, answer: [7], report: report)
        case .cancel: _ = try await registry.cancel(record, answer: [7], report: report)
        case .fail: _ = try await registry.fail(record, .releaseFailed, answer: [7], report: report)
        case .expire: _ = try await registry.expire(record.id, report: report)
        case .finish: _ = try await registry.finish(record, .completed, answer: [7], report: report)
        }
    }

    @Test("an end that the store took after its caller had given up is told once", arguments: End.allCases)
    private func lateEnd(end: End) async throws {
        let ends = Mutex<[RequestRecord]>([])
        let record = try await prepare(end)
        await withoutAnswers { try await take(end, of: record) { ended in ends.withLock { $0.append(ended) } } }
        #expect(ends.withLock { $0.isEmpty })
        try await registry.age()
        #expect(ends.withLock { $0.map(\.outcome?.kind) } == [end.kind])
        try await registry.age()
        #expect(ends.withLock { $0.count } == 1)
    }

    @Test("an end is told once, and before those who wait are woken", arguments: End.allCases)
    private func endFirst(end: End) async throws {
        let words = Mutex<[String]>([])
        let record = try await prepare(end)
        let watch = registry.changes.watch(record.id, since: registry.changes.revision(record.id))
        defer { registry.changes.stop(watch) }
        watch.signal.whenRaised { words.withLock { $0.append("woken") } }
        try await take(end, of: record) { ended in
            words.withLock { $0.append("told \(ended.isFinished)") }
        }
        try await registry.age()
        #expect(words.withLock(\.self) == ["told true", "woken"])
    }

    @Test("an end is told once, and before what another caller does before the store has answered")
    func endBeforeOthers() async throws {
        let words = Mutex<[String]>([])
        let claimed = try await claim(try await begin())
        store.meanwhile { [registry] in
            let found = try? await registry.find(.id(claimed.id))
            guard let found, (try? await registry.read(found)) != nil else { return }
            words.withLock { $0.append("collected") }
        }
        try await registry.finish(claimed, .completed, answer: [7]) { _ in words.withLock { $0.append("completed") } }
        try await registry.age()
        #expect(words.withLock(\.self) == ["completed", "collected"])
    }

    @Test("an outcome that is given to the store again is told once", arguments: [1, 3, 12])
    func again(failures: Int) async throws {
        let told = Mutex(0)
        let claimed = try await claim(try await begin())
        let outcome = registry.outcome(claimed, .completed, [7])
        for _ in 0..<failures {
            await withoutAnswers {
                try await registry.finish(claimed, with: outcome) { _ in told.withLock { $0 += 1 } }
            }
        }
        let last = try await registry.finish(claimed, with: outcome) { _ in told.withLock { $0 += 1 } }
        #expect(last == .failure(.notNow))
        try await registry.age()
        #expect(told.withLock(\.self) == 1)
    }

    @Test(
        "an app that leaves while the store is out has not read the outcome, unless the store took it before",
        arguments: [false, true])
    func leavesBeforeTheEnd(isTaken: Bool) async throws {
        let ends = Mutex<[RequestRecord]>([])
        let claimed = try await claim(try await begin())
        let outcome = registry.outcome(claimed, .completed, [7])
        let watch = registry.changes.watch(
            claimed.id, since: registry.changes.revision(claimed.id), isCollecting: true)
        func finish() async throws {
            _ = try await registry.finish(claimed, with: outcome) { ended in ends.withLock { $0.append(ended) } }
        }
        if isTaken {
            await withoutAnswers { try await finish() }
        } else {
            store.fail([.apply])
            await #expect(throws: StoreError.self) { try await finish() }
            store.fail([])
        }
        registry.changes.stop(watch)
        try await finish()
        try await registry.age()
        #expect(ends.withLock { $0.map(\.outcome?.isCollected) } == [isTaken])
        let found = try #require(try await registry.find(.id(claimed.id)))
        #expect(isTaken || found.outcome?.discardAt == found.expiresAt)
    }

    @Test("such an end is told before what comes after it, and one that was not taken never")
    func lateEndFirst() async throws {
        let words = Mutex<[String]>([])
        let record = try await begin()
        await withoutAnswers {
            try await registry.cancel(record, answer: [7]) { _ in words.withLock { $0.append("canceled") } }
        }
        if try await registry.acknowledge(record.id) { words.withLock { $0.append("acknowledged") } }
        #expect(words.withLock(\.self) == ["canceled", "acknowledged"])

        let other = try await begin()
        store.fail([.apply])
        await #expect(throws: StoreError.self) {
            try await registry.cancel(other, answer: [7]) { _ in words.withLock { $0.append("never") } }
        }
        store.fail([])
        try await registry.age()
        _ = try await registry.cancel(other, answer: [7], report: { _ in }).get()
        try await registry.age()
        #expect(words.withLock { $0.count } == 2)
    }

    @Test("a callback whose mark the store took after its caller had given up may come again, here and elsewhere")
    func lateMark() async throws {
        let other = RequestRegistry(store: store, policy: registry.policy)
        func mark(_ name: String, _ registry: RequestRegistry, mayGoOn: Bool = false) async throws -> Bool {
            let digest = SHA256Digest(of: name)
            switch try await registry.noteHandedOver(digest, mayGoOn: mayGoOn, lifetime: .seconds(600)) {
            case .new: return true
            case .came, .wentOn: return false
            }
        }
        for mayGoOn in [false, true] {
            for (name, next) in [("here \(mayGoOn)", registry), ("elsewhere \(mayGoOn)", other)] {
                await withoutAnswers { try await mark(name, registry, mayGoOn: mayGoOn) }
                if next === other { try await registry.age() }
                #expect(try await mark(name, next, mayGoOn: mayGoOn), "\(name)")
                #expect(try await !mark(name, registry), "it is under way")
            }
        }
    }

    @Test("a held code is told of once, and before what comes after it", arguments: [false, true])
    func lateHold(isReleased: Bool) async throws {
        let words = Mutex<[String]>([])
        let record = try await begin()
        let held = HeldResponse(.code(Secret("A")), proof: SHA256Digest(of: "p"))
        await withoutAnswers {
            try await registry.hold(
                record, for: try response("A", to: record), held,
                report: { taken in words.withLock { $0.append(Walk.words(taken)) } })
        }
        if isReleased {
            _ = try await registry.release(record.id, for: .redemption).get()
            words.withLock { $0.append("released") }
        }
        for _ in 0..<2 { try await registry.age() }
        #expect(words.withLock(\.self) == ["held 3"] + (isReleased ? ["released"] : []))
    }

    @Test("only the maker of a claim takes it up")
    func lateClaim() async throws {
        let record = try await begin()
        let (claim, other) = (registry.makeClaim(), registry.makeClaim())
        #expect(try await registry.takeUp(claim, of: record.id) == .failure(.notNow))
        await withoutAnswers {
            try await registry.claim(record, for: try response("A", to: record), by: claim)
        }
        #expect(try await registry.takeUp(other, of: record.id) == .failure(.notNow))
        #expect(Walk.words(try await registry.takeUp(claim, of: record.id).get()) == "redeeming")
    }

    @Test(
        "a claim that the store took late is reported once, before its claimant goes on, and however long it took",
        arguments: [0, 1, 5])
    func lateClaimReport(looks: Int) async throws {
        let words = Mutex<[String]>([])
        let record = try await begin()
        let claim = registry.makeClaim()
        store.fail(looks > 1 ? [.apply] : [])
        await withoutAnswers {
            try await registry.claim(record, for: try response("A", to: record), by: claim) { taken in
                words.withLock { $0.append(Walk.words(taken)) }
            }
        }
        store.fail([])
        // Others look at the request, and find it unclaimed, before the store carries out what it was sent.
        for _ in 0..<looks { try await registry.age() }
        if looks > 1 {
            let response = try response("A", to: record)
            let callback = RequestRecord.Callback(fingerprint: response.fingerprint, browserHash: nil)
            _ = try await store.apply(
                .claim(callback, .notNeeded, claim, code: nil), to: .id(record.id), within: .roomy, at: registry.now)
        }
        let test = try TestLoop()
        let taken = await test.run { [registry] in await registry.takeUp(claim, of: record.id, while: { true }) }
        words.withLock { $0.append(taken == nil ? "lost" : "goes on") }
        for _ in 0..<3 { try await registry.age() }
        #expect(words.withLock(\.self) == ["redeeming", "goes on"])
    }

    @Test("a claim that the store may still take is waited for while the store cannot be asked")
    func claimDuringOutage() async throws {
        let test = try TestLoop()
        let record = try await begin()
        let held = HeldResponse(.code(Secret("A")), proof: SHA256Digest(of: "p"))
        _ = try await registry.hold(record, for: response("A", to: record), held).get()
        let claim = registry.makeClaim()
        store.fail([.apply])
        await #expect(throws: StoreError.self) {
            try await registry.release(record.id, by: claim, for: .redemption)
        }
        // The store takes the release behind its answer that it does not have the claim.
        store.fail([.find])
        store.meanwhile { [registry, store] in
            _ = try? await store.apply(
                .release(claim, for: .redemption), to: .id(record.id), within: .roomy, at: registry.now)
            registry.changes.notify(record.id)
        }
        let taken = await test.run { [registry] in await registry.takeUp(claim, of: record.id, while: { true }) }
        #expect(taken.map(Walk.words) == "redeeming")
    }

    private func registry(_ quota: RequestQuota = .roomy) -> RequestRegistry {
        RequestRegistry(
            store: store, policy: Self.policy(quota), clock: { [self] in now.withLock(\.self) },
            report: { [self] news in if case .ended(let record) = news { ended.withLock { $0.append(record) } } })
    }

    @Test("an end by time is told once, whoever met it", arguments: [false, true])
    func lateEndByTime(isLookedAt: Bool) async throws {
        let registry = registry()
        let record = try await registry.begin(Self.beginning(state: "s")).get().0
        now.withLock { $0 = .at(601) }
        await withoutAnswers {
            if isLookedAt {
                _ = try await registry.find(.id(record.id))
            } else {
                try await registry.age()
            }
        }
        #expect(ended.withLock { $0.isEmpty })
        for _ in 0..<3 { try await registry.age() }
        #expect(ended.withLock { $0.map(\.id) } == [record.id])
    }

    @Test("a request that its caller never got gives its state and its room back", arguments: [false, true])
    func lateBeginning(isLeftToTime: Bool) async throws {
        let quota = RequestQuota(total: 1, perApp: 1, perAddress: 1, bytes: 1 << 20, bytesPerAddress: 1 << 20)
        let registry = registry(isLeftToTime ? quota : .roomy)
        await withoutAnswers { try await registry.begin(Self.beginning(state: "s")) }
        #expect(try await registry.usage().pending == 1)
        if isLeftToTime {
            try await registry.age()
            #expect(try await registry.usage().requests == 0)
        }
        let record = try await registry.begin(Self.beginning(state: "s")).get().0
        for _ in 0..<4 { try await registry.age() }
        #expect(try await registry.find(.id(record.id)) == record)
        #expect(try await registry.usage().requests == 1)
        // It ended without a report, because no caller waits for it.
        #expect(ended.withLock { $0.isEmpty })
    }

    @Test("a begin withdraws no request of another call")
    func otherBeginning() async throws {
        let registry = registry()
        store.fail([.insert])
        await #expect(throws: StoreError.self) { try await registry.begin(Self.beginning(state: "s")) }
        store.fail([])
        let record = try await registry.begin(Self.beginning(state: "s")).get().0
        await #expect(throws: InsertionRefusal.stateInUse) {
            try await registry.begin(Self.beginning(state: "s")).get()
        }
        for _ in 0..<4 { try await registry.age() }
        #expect(try await registry.find(.id(record.id)) == record)
    }
}
