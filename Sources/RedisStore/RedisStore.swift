public import SwitchyardCrypto
public import SwitchyardPendingRequests
public import SwitchyardReactor
public import SwitchyardRedis
internal import Synchronization

/// Requests in Redis, or Valkey: several gateways share them, and any of them may do any part of a sign-in.
///
/// A step is computed here, from the record as it was read, and written on the condition that the record is unchanged;
/// else it is computed again. So ``RequestRecord/apply(_:at:)`` defines the steps of this store too. Of two claims one
/// is refused, also at two gateways. Each loop has its own connection. All share a memory of the records that they have
/// just seen, so that most steps are one trip. Safe from any thread.
public final class RedisStore: SharedStore {
    let keys: Keys
    let sessions: [Session]
    private let known = KnownRecords()
    /// The number of the next session for callers outside our loops.
    private let next = Atomic(0)
    let maximumRemembered: Int
    /// The prefix by which a gateway recognizes its own messages; made afresh for each process.
    private let sender = Random.token(byteCount: 6)
    let listener: ChangeListener
    let review: ServerReview
    /// The number of calls of ``age(at:)``.
    let turns = Atomic(0)
    /// Whether the last call of ``age(at:)`` failed.
    let hasFailed = Atomic(true)

    /// How long a caller waits for Redis.
    let patience: Duration
    /// The maximum of tries of a step, if other steps of the same request come first.
    private static let maximumTries = 12

    /// Connects when it is first used, and keeps trying: until then each operation fails with the reason.
    /// - Parameters:
    ///   - prefix: the prefix of every key and channel.
    ///   - keys: the keys that sign records, until ``adopt(_:)`` gives others.
    ///   - maximumRemembered: the maximum of tombstones.
    ///   - loops: loops that run already, and outlive the store.
    ///   - patience: the time that a caller waits for Redis. After half of it without an answer, a connection counts as
    ///     dead.
    ///   - warn: gets the settings of the servers that may lose requests, each once, and a warning of records that no
    ///     gateway has written; on any thread.
    public init(
        _ configuration: RedisDeploymentConfiguration, prefix: String, keys ring: KeyRing, maximumRemembered: Int,
        on loops: [EventLoop], patience: Duration = .milliseconds(1800),
        warn: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        let isSpread = if case .cluster = configuration.servers { true } else { false }
        let keys = Keys(prefix: prefix, isSpread: isSpread)
        let (sender, known) = (sender, known)
        self.keys = keys
        self.maximumRemembered = maximumRemembered
        self.patience = patience
        let listener = ChangeListener(sender: sender, known)
        self.listener = listener
        review = ServerReview(warn)
        let unusable = UnusableRecords { warning in warn("Redis \(warning)") }
        sessions = loops.enumerated().map { index, loop in
            let redis =
                index > 0
                ? RedisDeployment(configuration, on: loop)
                : RedisDeployment(
                    configuration, on: loop, onMessage: { _, message in listener.hear(message) },
                    onSubscribed: { listener.mayHaveMissed() })
            return Session(keys, ring, redis, known, sender: sender, silence: patience / 2, unusable, on: loop)
        }
    }

    public func adopt(_ keys: KeyRing) {
        for session in sessions { session.adopt(keys) }
    }

    deinit {
        for session in sessions { session.loop.execute { session.close() } }
    }

    // MARK: Requests

    public func insert(
        _ record: RequestRecord, within quota: RequestQuota
    ) async throws(StoreError) -> Result<Void, InsertionRefusal> {
        try await onLoop { [self] session throws(StoreError) in
            let limits = CountLimits.insertion(of: record, within: quota)
            let deadline = Instant.now() + patience
            for isSecond in [false, true] {
                let now = record.createdAt
                switch try await session.write(record, over: nil, limits, at: now, until: deadline) {
                case .done: return .success(())
                case .noRoom(.tooManyBytes) where !isSecond:
                    guard try await makeRoom(session, at: now, until: deadline) else { return .failure(.tooManyBytes) }
                case .noRoom(let refusal): return .failure(refusal)
                case .stateInUse, .stale: return .failure(.stateInUse)
                }
            }
            return .failure(.tooManyBytes)
        }
    }

    public func find(_ key: RequestKey) async throws(StoreError) -> RequestRecord? {
        try await onLoop { [patience] session throws(StoreError) in
            try await session.read(key, until: .now() + patience)?.record
        }
    }

    public func recall(_ key: RequestKey) -> RequestRecord? {
        switch key {
        case .id(let id): known[id]?.record
        case .state(let hash): known.pending(hash)?.record
        }
    }

    public func apply(
        _ transition: RequestTransition, to key: RequestKey, within quota: RequestQuota, at now: Timestamp
    ) async throws(StoreError) -> Result<RequestRecord, RequestTransition.Refusal> {
        try await onLoop { [self] session throws(StoreError) in
            let growthWithin = transition.room(within: quota)
            let deadline = Instant.now() + patience
            var first: StoredRecord?
            if case .id(let id) = key { first = known[id] }
            return try await change(session, key, from: first, growthWithin: growthWithin, at: now, until: deadline) {
                record throws(RequestTransition.Refusal) in
                try record.apply(transition, at: now)
                return !transition.removes
            }
        }
    }

    /// Computes a change and writes it, until the record that it was computed from is the one that it replaces.
    /// - Parameters:
    ///   - first: the record as this gateway saw it last; nil to read it.
    ///   - quota: limits the bytes that the record may grow by; nil for no limit.
    ///   - work: changes the record, and returns whether it stays.
    func change(
        _ session: Session, _ key: RequestKey, from first: StoredRecord?, growthWithin quota: RequestQuota?,
        at now: Timestamp,
        until deadline: Instant,
        _ work: @Sendable (inout RequestRecord) throws(RequestTransition.Refusal) -> Bool
    ) async throws(StoreError) -> Result<RequestRecord, RequestTransition.Refusal> {
        var found = first
        // A remembered record may be outdated, so it alone never answers a call.
        var isFresh = false
        var hasMadeRoom = false
        for tries in 0..<Self.maximumTries {
            if found == nil, !isFresh {
                found = try await session.read(key, until: deadline)
                isFresh = true
            }
            guard let old = found else { return .failure(.unknown) }
            var record = old.record
            var stays = true
            do throws(RequestTransition.Refusal) {
                stays = try work(&record)
            } catch {
                if isFresh { return .failure(error) }
                found = nil
                continue
            }
            if stays, record == old.record {
                if isFresh { return .success(record) }
                found = nil
                continue
            }
            if tries > 2 {
                let pause = Duration.milliseconds(Int.random(in: 1...(4 << (tries / 2))))
                await EventLoop.sleep(until: min(deadline, .now() + pause))
                // Each write so far was refused, so it is known that this step was not taken.
                guard Instant.now() < deadline else { break }
            }
            let limits = quota.map { CountLimits.growth(of: old.record, within: $0) }
            switch try await session.write(stays ? record : nil, over: old, limits, at: now, until: deadline) {
            case .done: return .success(record)
            case .noRoom(.tooManyBytes) where !hasMadeRoom:
                hasMadeRoom = true
                guard try await makeRoom(session, at: now, until: deadline) else { return .failure(.noRoom) }
                continue
            case .noRoom: return .failure(.noRoom)
            case .stale(let other): found = other
            case .stateInUse: found = nil
            }
            isFresh = true
        }
        throw StoreError("other steps of the same request came first each time, so this one was not taken")
    }

    public func usage() async throws(StoreError) -> StoreUsage {
        try await onLoop { [patience] session throws(StoreError) in
            try await session.usage(until: .now() + patience)
        }
    }

    // MARK: One-time uses

    public func use(
        _ digest: ShortDigest, of id: RequestID, until: Timestamp, at now: Timestamp
    ) async throws(StoreError) -> OneTimeUse {
        try await onLoop { [keys, patience] session throws(StoreError) in
            let deadline = Instant.now() + patience
            let name = keys.partition(of: id).uses(id)
            let arguments = [
                Array(Base64URL.encode(digest.bytes).utf8), Session.bytes(now.milliseconds),
                Session.bytes(until.milliseconds), Session.milliseconds(max(until - now, .milliseconds(1))),
                Session.bytes(Int64(OneTimeUse.maximum)), Array(Random.token(byteCount: 8).utf8),
            ]
            let answer = try await session.repeating(until: deadline) { () throws(RedisError) in
                try await session.run(Scripts.use, keys: [name], arguments, until: deadline)
            }
            switch answer.integer {
            case 1: return .first
            case 2: return .tooMany
            default: return .repeated
            }
        }
    }

    public func undoUse(
        _ digest: ShortDigest, of id: RequestID, until: Timestamp
    ) async throws(StoreError) {
        try await onLoop { [keys, patience] session throws(StoreError) in
            let deadline = Instant.now() + patience
            let name = keys.partition(of: id).uses(id)
            let arguments = [Array(Base64URL.encode(digest.bytes).utf8), Session.bytes(until.milliseconds)]
            _ = try await session.repeating(until: deadline) { () throws(RedisError) in
                try await session.run(Scripts.undoUse, keys: [name], arguments, until: deadline)
            }
        }
    }

    // MARK: Histories

    public func add(_ notes: [TimelineNote], at now: Timestamp) async -> TimelineShortfall? {
        do throws(StoreError) {
            return try await onLoop { [patience] session throws(StoreError) in
                await session.add(notes, at: now, until: .now() + patience)
            }
        } catch {
            return TimelineShortfall(error, waiting: notes)
        }
    }

    public func timeline(of reference: Reference, at now: Timestamp) async throws(StoreError) -> Timeline? {
        try await onLoop { [patience] session throws(StoreError) in
            try await session.timeline(of: reference, at: now, until: .now() + patience)
        }
    }

    // MARK: Changes

    public func follow(
        _ tell: @escaping @Sendable (RequestID) -> Void, missed: @escaping @Sendable () -> Void
    ) {
        listener.follow(tell, missed)
        guard let session = sessions.first else { return }
        session.loop.execute { session.listen() }
    }

    public var rereadInterval: Duration? { .seconds(5) }

    // MARK: Loops

    /// Runs `body` on the calling loop, or on one of ours if the caller is on another thread.
    func onLoop<Value: Sendable>(
        _ body: @escaping @Sendable (Session) async throws(StoreError) -> Value
    ) async throws(StoreError) -> Value {
        if let loop = EventLoop.current, loop.index < sessions.count, sessions[loop.index].loop === loop {
            return try await body(sessions[loop.index])
        }
        let session = sessions[next.wrappingAdd(1, ordering: .relaxed).oldValue % sessions.count]
        return try await session.loop.perform { () async throws(StoreError) in try await body(session) }
    }
}
