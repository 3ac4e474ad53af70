internal import SwitchyardCrypto
internal import SwitchyardReactor
public import SwitchyardRouting
internal import Synchronization

/// The life of pending token requests: makes them, seals their secrets, takes them from step to step, reports each step
/// once, and wakes waiting tasks. Safe from any thread.
///
/// Its parts: beginning and look-up (`+Beginning`), callbacks (`+Callback`), the work on a claimed request (`+Claim`),
/// ends (`+End`), the app's calls (`+Collection`), time (`+Aging`), steps of the store (`+Steps`), callbacks without a
/// request (`+HandOver`, `+Deliveries`).
public final class RequestRegistry: Sendable {
    /// Reports a step; called once, on any thread.
    public typealias Report = @Sendable (RequestRecord) -> Void

    /// Wakes the tasks that wait for a request: at each change by this gateway, and by others as far as the store
    /// reports them.
    public let changes = ChangeHub()
    let store: any SharedStore
    let health = StoreHealth()
    /// Entries of callbacks that the store may have taken without confirming them; these callbacks were not handed over.
    let doubtfulEntries = Mutex<[RequestID: HandOverEntry]>([:])
    let lateSteps = LateSteps()
    let missingKeys = MissingKeys()
    let clock: @Sendable () -> Timestamp
    let report: @Sendable (News) -> Void
    private let note: @Sendable (StoreOperation, Duration) -> Void
    /// The policy, with a copy for each loop, so that loops on different cores never wait for its lock.
    private let policies: [PolicyCopy]
    /// Most machines have fewer loops. If there are more, some share a copy.
    private static let copies = 64

    var policy: Policy {
        policies[(EventLoop.current?.index ?? 0) % policies.count].policy.withLock(\.self)
    }

    /// - Parameters:
    ///   - clock: the time of day.
    ///   - report: is called on any thread.
    ///   - note: gets the duration of each operation of the store, failed ones included; on any thread.
    public init(
        store: any SharedStore, policy: Policy, clock: @escaping @Sendable () -> Timestamp = Timestamp.now,
        report: @escaping @Sendable (News) -> Void = { _ in },
        note: @escaping @Sendable (StoreOperation, Duration) -> Void = { _, _ in }
    ) {
        self.store = store
        self.clock = clock
        self.report = report
        self.note = note
        policies = (0..<Self.copies).map { _ in PolicyCopy(policy) }
        store.follow({ [changes] id in changes.notify(id) }, missed: { [changes] in changes.notifyAll() })
    }

    /// Replaces the policy. Data that an earlier key has sealed can be opened while the new policy has that key.
    public func adopt(_ policy: Policy) {
        store.adopt(policy.keys)
        for copy in policies { copy.policy.withLock { $0 = policy } }
    }

    /// The interval after which a waiting task looks again, because it may have missed a change; nil if every change is
    /// reported.
    public var rereadInterval: Duration? { store.rereadInterval }

    /// The present time, by the registry's clock.
    public var now: Timestamp { clock() }

    /// Why the store is out; nil while it works.
    public var storeFailure: StoreError? { health.failure }

    /// The number of operations of the store that have failed since this process began.
    public var storeFailures: Int { health.failures }

    /// The store's present content, as ``RequestStore/usage()``.
    public func usage() async throws(StoreError) -> StoreUsage {
        try await ask(.usage) { () async throws(StoreError) in try await store.usage() }
    }

    /// Whether a request of the app may be unfinished, as ``RequestStore/mayBePending(_:)``.
    public func mayBePending(_ app: AppID) async throws(StoreError) -> Bool {
        try await ask(.usage) { () async throws(StoreError) in try await store.mayBePending(app) }
    }

    func open(_ sealed: [UInt8], _ field: String, of record: RequestRecord) -> [UInt8]? {
        try? policy.keys.open(sealed, context: "\(field) \(record.id)")
    }

    /// Runs an operation of the store on requests. All of these, and their failures, pass through here.
    func ask<Answer>(
        _ operation: StoreOperation, _ body: () async throws(StoreError) -> Answer
    ) async throws(StoreError) -> Answer {
        let begin = Instant.now()
        defer { note(operation, Instant.now() - begin) }
        do throws(StoreError) {
            return try await body()
        } catch {
            if let id = error.missingKey {
                noteMissing(key: id)
            } else if let failures = health.failed(error, at: .now()) {
                report(.storeFailed(error, failures: failures))
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
