internal import SwitchyardConfiguration
internal import SwitchyardCrypto
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import SwitchyardRouting
internal import SwitchyardSQLiteStore
internal import Synchronization

/// A store that only one gateway can have at a time, and that it can give away and get back. Safe from any thread.
final class ExclusiveStore: SharedStore {
    private struct State {
        var location: Location
        /// Whether steps that begin a redemption are refused.
        var isClosing = false
    }

    private enum Location {
        case here(SQLiteStore)
        /// Another gateway has it, or can have it.
        case away
        /// The store was to be given up, and its disk stands still: no process can have it before the disk answers.
        case stuck(SQLiteStore, StoreError)
    }

    private let path: String
    private let state: Mutex<State>
    /// Steps under way that may begin a redemption.
    private let beginnings = Atomic(0)
    private let warn: @Sendable (String) -> Void

    /// - Parameters:
    ///   - policies: with the present configuration. If it has no keys, they get the store's own key.
    ///   - warn: gets the files that other users could read or change until now; on any thread.
    init(
        path: String, _ policies: PolicySource, warn: @escaping @Sendable (String) -> Void
    ) throws(GatewayError) {
        self.path = path
        self.warn = warn
        state = Mutex(State(location: .here(try Self.open(path, policies, warn))))
    }

    private static func open(
        _ path: String, _ policies: PolicySource, _ warn: @escaping @Sendable (String) -> Void
    ) throws(GatewayError) -> SQLiteStore {
        let configuration = policies.configuration
        var ownKey: (@Sendable (KeyRing.Key) -> Void)?
        if configuration.encryptionKeys.isEmpty { ownKey = { key in policies.adopt(ownKey: key) } }
        do throws(SQLiteStoreError) {
            return try SQLiteStore(
                path: path, maximumRemembered: configuration.limits.requests, ownKey: ownKey, warn: warn)
        } catch {
            throw GatewayError(error.description)
        }
    }

    /// From now on no redemption begins.
    func beginClosing() { state.withLock { $0.isClosing = true } }

    /// Whether no redemption is about to begin.
    var isQuiet: Bool { beginnings.load(ordering: .acquiring) == 0 }

    /// Finishes the operations under way, and gives the files up. From now on each operation fails.
    /// - Returns: why the files are not given up by `deadline`; nil when they are.
    func close(until deadline: Instant) async -> StoreError? {
        let store: SQLiteStore? = state.withLock { state in
            guard case .here(let store) = state.location else { return nil }
            state.location = .away
            return store
        }
        guard let store else { return obstacle }
        let failure = await store.close(until: deadline)
        if let failure { state.withLock { $0.location = .stuck(store, failure) } }
        return failure
    }

    /// The reason why neither this gateway nor another one can have the store.
    var obstacle: StoreError? {
        state.withLock { state in
            guard case .stuck(let store, let failure) = state.location, !store.isClosed else { return nil }
            return failure
        }
    }

    /// Has it again.
    /// - Throws: ``GatewayError`` as long as another gateway has it, or its disk stands still.
    func reopen(by policies: PolicySource) throws(GatewayError) {
        if let obstacle { throw GatewayError(obstacle.description) }
        let store = try Self.open(path, policies, warn)
        state.withLock { $0 = State(location: .here(store)) }
    }

    private static let isAway = StoreError("the store is being given to another gateway")

    private func current() throws(StoreError) -> SQLiteStore {
        try state.withLock { state throws(StoreError) in try Self.store(at: state.location) }
    }

    private static func store(at location: Location) throws(StoreError) -> SQLiteStore {
        switch location {
        case .here(let store): return store
        case .away: throw isAway
        case .stuck(_, let failure): throw failure
        }
    }

    func insert(
        _ record: RequestRecord, within quota: RequestQuota
    ) async throws(StoreError) -> Result<Void, InsertionRefusal> {
        try await current().insert(record, within: quota)
    }

    func find(_ key: RequestKey) async throws(StoreError) -> RequestRecord? { try await current().find(key) }

    func apply(
        _ transition: RequestTransition, to key: RequestKey, within quota: RequestQuota, at now: Timestamp
    ) async throws(StoreError) -> Result<RequestRecord, RequestTransition.Refusal> {
        guard transition.mayBeginRedemption else {
            return try await current().apply(transition, to: key, within: quota, at: now)
        }
        let store = try state.withLock { state throws(StoreError) in
            let store = try Self.store(at: state.location)
            guard !state.isClosing else { throw Self.isAway }
            beginnings.add(1, ordering: .acquiringAndReleasing)
            return store
        }
        defer { beginnings.subtract(1, ordering: .acquiringAndReleasing) }
        return try await store.apply(transition, to: key, within: quota, at: now)
    }

    func age(at now: Timestamp) async -> Aging {
        do throws(StoreError) {
            return try await current().age(at: now)
        } catch {
            return Aging(failure: error)
        }
    }

    func usage() async throws(StoreError) -> StoreUsage { try await current().usage() }

    func mayBePending(_ app: AppID) async throws(StoreError) -> Bool { try await current().mayBePending(app) }

    func inherited() async throws(StoreError) -> [RequestRecord] { try await current().inherited() }

    func waitUntilOpen() async throws(StoreError) { try await current().waitUntilOpen() }

    func use(
        _ digest: ShortDigest, of id: RequestID, until: Timestamp, at now: Timestamp
    ) async throws(StoreError) -> OneTimeUse {
        try await current().use(digest, of: id, until: until, at: now)
    }

    func undoUse(
        _ digest: ShortDigest, of id: RequestID, until: Timestamp
    ) async throws(StoreError) {
        try await current().undoUse(digest, of: id, until: until)
    }

    func registration(_ key: ShortDigest, at now: Timestamp) async throws(StoreError) -> [UInt8]? {
        try await current().registration(key, at: now)
    }

    func replaceRegistration(
        _ key: ShortDigest, _ seen: [UInt8]?, by new: SealedRegistration?, at now: Timestamp
    ) async throws(StoreError) -> Bool {
        try await current().replaceRegistration(key, seen, by: new, at: now)
    }

    func add(_ notes: [TimelineNote], at now: Timestamp) async -> TimelineShortfall? {
        do throws(StoreError) {
            return try await current().add(notes, at: now)
        } catch {
            return TimelineShortfall(error, waiting: notes)
        }
    }

    func timeline(of reference: Reference, at now: Timestamp) async throws(StoreError) -> Timeline? {
        try await current().timeline(of: reference, at: now)
    }
}

extension RequestTransition {
    fileprivate var mayBeginRedemption: Bool {
        switch self {
        case .claim, .release: true
        case .settle, .hold, .park, .refuseCode, .push, .refusePush, .miss, .deny, .noteForeignWatcher, .prolong,
            .finish, .cancel, .read, .acknowledge, .age, .withdraw:
            false
        }
    }
}
