public import SwitchyardCrypto
internal import SwitchyardOAuth
internal import SwitchyardReactor
internal import Synchronization

/// The life of pending token requests: makes them, seals their secrets, takes them from step to step, and wakes waiting
/// tasks. Safe from any thread.
public final class RequestRegistry: Sendable {
    /// Wakes the tasks that wait for a request: at each change by this gateway, and by others as far as the store
    /// reports them.
    public let changes = ChangeHub()
    let store: any SharedStore
    private let health = StoreHealth()
    /// Marks of callbacks that the store may have taken without confirming them; these callbacks were not handed over.
    let doubtfulMarks = Mutex<[RequestID: HandedOverMark]>([:])
    let lateSteps = LateSteps()
    let missingKeys = MissingKeys()
    let clock: @Sendable () -> Timestamp
    let tell: @Sendable (News) -> Void
    private let note: @Sendable (StoreOperation, Duration) -> Void
    /// A copy for each loop, so that loops on different cores never meet at it.
    private let policies: [PolicyCopy]
    /// More than most machines have loops; where there are more, some share one.
    private static let copies = 64

    var policy: Policy {
        policies[(EventLoop.current?.index ?? 0) % policies.count].policy.withLock(\.self)
    }

    /// - Parameters:
    ///   - clock: the time of day.
    ///   - tell: is called on any thread.
    ///   - note: gets the duration of each operation of the store, failed ones included; on any thread.
    public init(
        store: any SharedStore, policy: Policy, clock: @escaping @Sendable () -> Timestamp = Timestamp.now,
        tell: @escaping @Sendable (News) -> Void = { _ in },
        note: @escaping @Sendable (StoreOperation, Duration) -> Void = { _, _ in }
    ) {
        self.store = store
        self.clock = clock
        self.tell = tell
        self.note = note
        policies = (0..<Self.copies).map { _ in PolicyCopy(policy) }
        store.follow({ [changes] id in changes.notify(id) }, missed: { [changes] in changes.notifyAll() })
    }

    /// Holds for what happens from now on; what was sealed before opens if its key is still there.
    public func adopt(_ policy: Policy) {
        store.adopt(policy.keys)
        for copy in policies { copy.policy.withLock { $0 = policy } }
    }

    /// The interval after which a waiting task looks again, because it may have missed a change; nil if every change is
    /// reported.
    public var rereadInterval: Duration? { store.rereadInterval }

    /// The time by which requests live.
    public var now: Timestamp { clock() }

    /// Why the store is out; nil while it works.
    public var storeFailure: StoreFailure? { health.failure }

    /// How many operations of the store have failed, of this process's life.
    public var storeFailures: Int { health.failures }

    // MARK: The release

    /// Releases the held response: the app has proved that it belongs to the browser.
    /// - Parameters:
    ///   - claim: made by ``makeClaim()``, for a caller that needs to know it.
    ///   - work: the caller's next work. The record then shows whether the code may be spent.
    ///   - tell: reports the release, as for a claim.
    public func release(
        _ id: RequestID, by claim: RequestRecord.Claim? = nil, for work: RequestTransition.Work,
        tell: (RequestRecord) -> Void = { _ in }
    ) async throws(StoreFailure) -> Result<RequestRecord, RequestTransition.Refusal> {
        try await settleLateSteps(of: id)
        return try await apply(.release(claim ?? makeClaim(), for: work), to: id, tell: tell)
    }

    /// Remembers that the outcome is waited for at another address than the beginner's.
    public func noteForeignWatcher(_ id: RequestID) async throws(StoreFailure) {
        _ = try await applyQuietly(.noteForeignWatcher, to: id)
    }

    // MARK: The redemption

    /// Renews the lease of a claimed request, because its work goes on.
    /// - Parameter record: the record that the claim returned.
    public func prolong(
        _ record: RequestRecord
    ) async throws(StoreFailure) -> Result<RequestRecord, RequestTransition.Refusal> {
        guard let claim = prolonged(record) else { return .failure(.notNow) }
        return try await applyQuietly(.prolong(claim), to: record.id)
    }

    /// How long a claim holds without being prolonged.
    public var lease: Duration { policy.lifetimes.lease }

    /// Ends a claimed request. The result is stored before this returns.
    /// - Parameters:
    ///   - record: the record that the claim returned.
    ///   - outcome: from ``outcome(_:_:_:)``. It may be given again after a ``StoreFailure``, and is reported once.
    ///   - tell: reports the end, as for ``cancel(_:answer:tell:)``.
    @discardableResult
    public func finish(
        _ record: RequestRecord, with outcome: RequestRecord.Outcome,
        tell: @escaping @Sendable (RequestRecord) -> Void
    ) async throws(StoreFailure) -> Result<RequestRecord, RequestTransition.Refusal> {
        guard let claim = record.claim else { return .failure(.notNow) }
        return try await end(
            record.id, with: outcome, by: .finish(outcome, claimant: claim.claimant), tell: tell)
    }

    // MARK: The app

    /// The answer for the app, noting that it was read; nil once it is gone.
    public func read(_ record: RequestRecord) async throws(StoreFailure) -> (answer: [UInt8], isFirst: Bool)? {
        try await settleLateSteps(of: record.id)
        let read = RequestTransition.read(discardAt: clock() + policy.lifetimes.result)
        let found: RequestRecord?
        let isFirst: Bool
        switch try await applyQuietly(read, to: record.id) {
        case .success(let record): (found, isFirst) = (record, true)
        case .failure(.repeated): (found, isFirst) = (try await find(.id(record.id)), false)
        case .failure: return nil
        }
        guard let found, let answer = found.outcome?.sealedAnswer.flatMap({ open($0, "result", of: found) }) else {
            return nil
        }
        return (answer, isFirst)
    }

    /// Forgets the outcome: the app has it.
    /// - Returns: whether this was the call that did; another one may have been faster.
    public func acknowledge(_ id: RequestID) async throws(StoreFailure) -> Bool {
        try await settleLateSteps(of: id)
        return if case .success = try await applyQuietly(.acknowledge, to: id) { true } else { false }
    }

    /// Marks a proof of possession as used.
    /// - Parameter lifetime: for how long it could be used again, counted from now.
    public func use(
        proof: SHA256Digest, with record: RequestRecord, lifetime: Duration
    ) async throws(StoreFailure) -> ProofUse {
        let now = clock()
        return try await ask(.useProof) { () async throws(StoreFailure) in
            try await store.use(ShortDigest(proof), of: record.id, until: now + lifetime, at: now)
        }
    }

    // MARK: Time

    /// Lets time pass; to be called about once a second.
    /// - Returns: callbacks on their way to apps' servers that no gateway tries. The caller claims them
    ///   (``claimDelivery(_:)``); otherwise they are shown again, here or elsewhere.
    @discardableResult
    public func age() async throws(StoreFailure) -> [RequestRecord] {
        let failures = health.failures
        let left = try await ask(.age) { () async throws(StoreFailure) -> [RequestRecord] in
            let aging = await store.age(at: clock())
            // Reports what expired, even if the store failed halfway.
            for record in aging.finished {
                tell(.ended(record))
                changes.notify(ended: record)
            }
            for record in aging.doubtful { expectLate(record) }
            if let failure = aging.failure { throw failure }
            return aging.left
        }
        await takeBackDoubtfulMarks()
        await settleLateSteps()
        guard health.succeeded(since: failures) else { return left }
        // The store may have taken a step after its caller gave up, without a report.
        changes.notifyAll()
        tell(.storeBack)
        return left
    }

    /// The store's present content, as ``RequestStore/usage()``.
    public func usage() async throws(StoreFailure) -> StoreUsage {
        try await ask(.usage) { () async throws(StoreFailure) in try await store.usage() }
    }

    /// As ``RequestStore/inherited()``.
    public func inherited() async throws(StoreFailure) -> [RequestRecord] {
        try await ask(.find) { () async throws(StoreFailure) in try await store.inherited() }
    }

    // MARK: Shared parts

    /// The size limit above which a failure is kept without its words. They come from an issuer, so they must have a
    /// limit.
    private static let maximumFailure = 32 << 10

    /// How a request ends, with the time as it is now. An unread result lives as long as its request, and at least as long as
    /// a read one.
    /// - Parameter answer: the body that the app gets.
    public func outcome(
        _ record: RequestRecord, _ kind: RequestRecord.Outcome.Kind, _ answer: [UInt8]
    ) -> RequestRecord.Outcome {
        let (now, policy) = (clock(), policy)
        let end = now + policy.lifetimes.result
        let discardAt = kind == .canceled ? end : max(record.expiresAt, end)
        if case .failed = kind, answer.count > Self.maximumFailure {
            return RequestRecord.Outcome(kind: kind, finishedAt: now, until: discardAt)
        }
        return RequestRecord.Outcome(
            kind: kind, finishedAt: now, answer: .sealed(policy.keys.seal(answer, context: "result \(record.id)")),
            discardAt: discardAt)
    }

    /// A fresh claim. The gateway recognizes its own claim by it, even if the store does not confirm that it has taken
    /// it.
    public func makeClaim() -> RequestRecord.Claim {
        let claimant = Random.number()
        return RequestRecord.Claim(claimant: claimant, lease: clock() + policy.lifetimes.lease)
    }

    private func prolonged(_ record: RequestRecord) -> RequestRecord.Claim? {
        record.claim.map {
            RequestRecord.Claim(claimant: $0.claimant, lease: clock() + policy.lifetimes.lease)
        }
    }

    func open(_ sealed: [UInt8], _ field: String, of record: RequestRecord) -> [UInt8]? {
        try? policy.keys.open(sealed, context: "\(field) \(record.id)")
    }

    /// Has the store take a step, reports it, and then wakes the waiting tasks, so that their reports come later.
    /// - Parameter now: nil for the present.
    func apply(
        _ transition: RequestTransition, to id: RequestID, at now: Timestamp? = nil,
        tell: (RequestRecord) -> Void = { _ in }
    ) async throws(StoreFailure) -> Result<RequestRecord, RequestTransition.Refusal> {
        let result = try await applyQuietly(transition, to: id, at: now)
        if case .success(let record) = result {
            tell(record)
            if record.isFinished {
                changes.notify(ended: record)
            } else if transition.isNews {
                changes.notify(id)
            }
        }
        return result
    }

    /// As ``apply(_:to:at:tell:)``. The step is reported once, also if the store takes it late. If another caller sees
    /// the step before the store has answered here, that caller's reports come later.
    func apply(
        _ transition: RequestTransition, to id: RequestID, telling step: LateSteps.Step
    ) async throws(StoreFailure) -> Result<RequestRecord, RequestTransition.Refusal> {
        let noting = lateSteps.ask(step, of: id)
        do throws(StoreFailure) {
            let result = try await apply(transition, to: id) { record in
                if noting == .noRoom { step.tell(record) } else { lateSteps.answered(step, of: id, with: record) }
            }
            guard case .failure = result else { return result }
            if noting == .again {
                lateSteps.failed(step, of: id)
                try await settleLateSteps(of: id)
            } else {
                lateSteps.answered(step, of: id, with: nil)
            }
            return result
        } catch {
            lateSteps.failed(step, of: id)
            throw error
        }
    }

    /// Has the store take a step without waking waiting tasks.
    func applyQuietly(
        _ transition: RequestTransition, to id: RequestID, at now: Timestamp? = nil
    ) async throws(StoreFailure) -> Result<RequestRecord, RequestTransition.Refusal> {
        try await ask(.apply) { () async throws(StoreFailure) in
            try await store.apply(transition, to: .id(id), within: policy.quota, at: now ?? clock())
        }
    }

    /// Runs an operation of the store. All operations and all failures pass through here.
    func ask<Answer>(
        _ operation: StoreOperation, _ body: () async throws(StoreFailure) -> Answer
    ) async throws(StoreFailure) -> Answer {
        let begin = Instant.now()
        defer { note(operation, Instant.now() - begin) }
        do throws(StoreFailure) {
            return try await body()
        } catch {
            if let id = error.missingKey {
                noteMissing(key: id)
            } else if let failures = health.failed(error, at: .now()) {
                tell(.storeFailed(error, failures: failures))
            }
            throw error
        }
    }
}

/// A mutex cannot stand in an array by itself.
private final class PolicyCopy: Sendable {
    let policy: Mutex<RequestRegistry.Policy>

    init(_ policy: RequestRegistry.Policy) {
        self.policy = Mutex(policy)
    }
}
