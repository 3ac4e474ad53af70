public import SwitchyardCrypto
public import SwitchyardPendingRequests
public import SwitchyardReactor
public import SwitchyardRedis
internal import Synchronization

/// Requests in Redis, or Valkey: several gateways share them, and any of them may do any part of a sign-in.
///
/// A step is worked out here, from the record as it was read, and written on the condition that it still is that one; if not,
/// it is worked out again. So what a step means is ``RequestRecord/apply(_:at:)`` for this store too, and of two claims one is
/// refused, at whichever gateways they come. Each loop has its own connection, and its own memory of the records that it has
/// just seen, so that most steps are one trip. Safe from any thread.
public final class RedisStore: SharedStore {
    private let keys: Keys
    private let sessions: [Session]
    /// A session for whoever comes from no loop of ours.
    private let next = Atomic(0)
    private let maximumRemembered: Int
    /// By which a gateway knows its own messages; made afresh for each process.
    private let sender = Random.token(byteCount: 6)
    private let listener: ChangeListener
    private let review: ServerReview
    private let turns = Atomic(0)
    /// Whether time could not pass when it last should have.
    private let hasFailed = Atomic(true)

    private let patience: Duration
    /// How often a step is worked out again because another one came first.
    private static let maximumTries = 12

    /// Connects when it is first used, and goes on trying: until then each operation fails, and says why.
    /// - Parameters:
    ///   - prefix: of every key and channel.
    ///   - maximumRemembered: how many requests that are over are kept at the most.
    ///   - loops: that run already, and outlive the store.
    ///   - patience: how long a caller waits for Redis; after half of it without an answer, a connection is taken for dead.
    ///   - warn: gets what of the servers' settings may lose requests, each once; on any thread.
    public init(
        _ configuration: RedisDeploymentConfiguration, prefix: String, maximumRemembered: Int, on loops: [EventLoop],
        patience: Duration = .milliseconds(1800),
        warn: @escaping @Sendable (String) -> Void = { _ in }
    ) {
        let isSpread = if case .cluster = configuration.servers { true } else { false }
        let keys = Keys(prefix: prefix, isSpread: isSpread)
        let sender = sender
        self.keys = keys
        self.maximumRemembered = maximumRemembered
        self.patience = patience
        let listener = ChangeListener(sender: sender)
        self.listener = listener
        review = ServerReview(warn)
        sessions = loops.enumerated().map { index, loop in
            guard index == 0 else {
                return Session(
                    keys, RedisDeployment(configuration, on: loop), sender: sender, patience: patience / 2, on: loop)
            }
            let redis = RedisDeployment(
                configuration, on: loop, onMessage: { _, message in listener.hear(message) },
                onSubscribed: { listener.mayHaveMissed() })
            return Session(keys, redis, sender: sender, patience: patience / 2, on: loop)
        }
    }

    deinit {
        for session in sessions { session.loop.execute { session.close() } }
    }

    // MARK: Requests

    public func insert(
        _ record: RequestRecord, within quota: RequestQuota
    ) async throws(StoreFailure) -> Result<Void, InsertionRefusal> {
        try await onLoop { [self] session throws(StoreFailure) in
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

    public func find(_ key: RequestKey) async throws(StoreFailure) -> RequestRecord? {
        try await onLoop { [patience] session throws(StoreFailure) in
            try await session.read(key, until: .now() + patience)?.record
        }
    }

    public func apply(
        _ transition: RequestTransition, to key: RequestKey, within quota: RequestQuota, at now: Timestamp
    ) async throws(StoreFailure) -> Result<RequestRecord, RequestTransition.Refusal> {
        try await onLoop { [self] session throws(StoreFailure) in
            let growthWithin = transition.room(within: quota)
            let deadline = Instant.now() + patience
            var first: Kept?
            if case .id(let id) = key { first = session.remembered(id) }
            return try await change(session, key, from: first, growthWithin: growthWithin, at: now, until: deadline) {
                record throws(RequestTransition.Refusal) in
                try record.apply(transition, at: now)
                return true
            }
        }
    }

    /// Works a change out and writes it, until what it was worked out from is what was replaced.
    /// - Parameters:
    ///   - first: the record as it may be; nil to read it.
    ///   - quota: of which the bytes must do for what the record grows by; nil where it may grow.
    ///   - work: says whether the record stays.
    private func change(
        _ session: Session, _ key: RequestKey, from first: Kept?, growthWithin quota: RequestQuota?, at now: Timestamp,
        until deadline: Instant,
        _ work: @Sendable (inout RequestRecord) throws(RequestTransition.Refusal) -> Bool
    ) async throws(StoreFailure) -> Result<RequestRecord, RequestTransition.Refusal> {
        var found = first
        // What is only remembered may be outdated: nothing is answered from it alone.
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
            if tries > 2 { await EventLoop.sleep(until: .now() + .milliseconds(Int.random(in: 1...(4 << tries / 2)))) }
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
        throw StoreFailure("too many steps of one request come at once")
    }

    public func usage() async throws(StoreFailure) -> StoreUsage {
        try await onLoop { [patience] session throws(StoreFailure) in
            try await session.usage(at: nil, until: .now() + patience)
        }
    }

    // MARK: Proofs

    public func use(
        _ proof: ShortDigest, of request: RequestID, until: Timestamp, at now: Timestamp
    ) async throws(StoreFailure) -> ProofUse {
        try await onLoop { [keys, patience] session throws(StoreFailure) in
            let deadline = Instant.now() + patience
            let name = keys.partition(of: request).proofs(request)
            let arguments = [
                Array(Base64URL.encode(proof.bytes).utf8), Session.bytes(now.milliseconds),
                Session.bytes(until.milliseconds), Session.milliseconds(max(until - now, .milliseconds(1))),
                Session.bytes(Int64(ProofUse.maximum)), Array(Random.token(byteCount: 8).utf8),
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

    // MARK: Histories

    public func add(_ notes: [TimelineNote], at now: Timestamp) async -> TimelineShortfall? {
        do throws(StoreFailure) {
            return try await onLoop { [patience] session throws(StoreFailure) in
                await session.add(notes, at: now, until: .now() + patience)
            }
        } catch {
            return TimelineShortfall(error, waiting: notes)
        }
    }

    public func timeline(of reference: Reference, at now: Timestamp) async throws(StoreFailure) -> Timeline? {
        try await onLoop { [patience] session throws(StoreFailure) in
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

    /// Runs `body` on the loop that asks, or, for whoever asks from none, on one of ours.
    private func onLoop<Value: Sendable>(
        _ body: @escaping @Sendable (Session) async throws(StoreFailure) -> Value
    ) async throws(StoreFailure) -> Value {
        if let loop = EventLoop.current, loop.index < sessions.count, sessions[loop.index].loop === loop {
            return try await body(sessions[loop.index])
        }
        let session = sessions[next.wrappingAdd(1, ordering: .relaxed).oldValue % sessions.count]
        return try await withCheckedContinuation { continuation in
            session.loop.start {
                do throws(StoreFailure) {
                    continuation.resume(returning: Result<Value, StoreFailure>.success(try await body(session)))
                } catch {
                    continuation.resume(returning: .failure(error))
                }
            }
        }.get()
    }
}

// MARK: - Time and room

extension RedisStore {
    /// How many records are asked for at once.
    private static let portion = 64

    public func age(at now: Timestamp) async throws(StoreFailure) -> [RequestRecord] {
        try await onLoop { [self] session throws(StoreFailure) in
            let deadline = Instant.now() + patience
            // What says that writing goes is written to one partition after the other, and to all while it does not go.
            let turn = turns.wrappingAdd(1, ordering: .relaxed).oldValue
            let mustTryAll = hasFailed.load(ordering: .relaxed)
            let results = await withTaskGroup(of: Result<[RequestRecord], StoreFailure>.self) { group in
                for (index, partition) in keys.partitions.enumerated() {
                    let isTried = mustTryAll || turn % keys.partitions.count == index
                    group.addTask { [self] in
                        do throws(StoreFailure) {
                            return .success(try await age(partition, isTried, session, at: now, until: deadline))
                        } catch {
                            return .failure(error)
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            hasFailed.store(true, ordering: .relaxed)
            _ = try await session.usage(at: now, until: deadline)
            var ended: [RequestRecord] = []
            for result in results { ended += try result.get() }
            hasFailed.store(false, ordering: .relaxed)
            // A fail-over may have brought another server.
            if mustTryAll || turn % 300 == 0 { session.loop.start { [review] in await review.look(at: session.redis) } }
            return ended
        }
    }

    private func age(
        _ partition: Keys.Partition, _ isTried: Bool, _ session: Session, at now: Timestamp, until deadline: Instant
    ) async throws(StoreFailure) -> [RequestRecord] {
        var ended: [RequestRecord] = []
        var beat = isTried ? Session.bytes(now.milliseconds) : []
        let maximum = Session.bytes(Int64(maximumRemembered / keys.partitions.count))
        while true {
            let arguments = [
                Session.bytes(now.milliseconds), Session.bytes((now + .seconds(2)).milliseconds),
                Session.bytes(Int64(Self.portion)), maximum, partition.records, beat,
            ]
            let answer = try await session.repeating(until: deadline) { () throws(RedisError) in
                try await session.run(
                    Scripts.due, keys: [partition.due, partition.over, partition.beat], arguments, until: deadline)
            }
            beat = []
            let lists = answer.array?.map { $0.array ?? [] } ?? []
            guard lists.count == 2 else { throw StoreFailure("an answer that makes no sense") }
            // One that cannot be read is somebody else's to deal with: a newer gateway's.
            let due = lists[0].compactMap { try? session.kept($0) }
            let surplus = lists[1].compactMap { try? session.kept($0) }
            ended += await age(due, session, at: now, until: deadline)
            await forget(surplus, session, at: now, until: deadline)
            guard lists.contains(where: { $0.count >= Self.portion }), Instant.now() < deadline else { return ended }
        }
    }

    /// - Returns: those that time has finished.
    private func age(
        _ due: [Kept], _ session: Session, at now: Timestamp, until deadline: Instant
    ) async -> [RequestRecord] {
        await withTaskGroup(of: RequestRecord?.self) { group in
            for kept in due {
                group.addTask { [self] in
                    let wasFinished = Mutex(false)
                    let result = try? await change(
                        session, .id(kept.record.id), from: kept, growthWithin: nil, at: now, until: deadline
                    ) { record throws(RequestTransition.Refusal) in
                        wasFinished.withLock { $0 = record.isFinished }
                        // Aging never refuses.
                        try? record.apply(.age, at: now)
                        return !record.isForgotten(at: now)
                    }
                    guard case .success(let record) = result, record.isFinished, !wasFinished.withLock({ $0 }) else {
                        return nil
                    }
                    return record
                }
            }
            return await group.reduce(into: []) { ended, record in ended += record.map { [$0] } ?? [] }
        }
    }

    /// Forgets what is over, unless somebody has stepped on it meanwhile.
    private func forget(
        _ surplus: [Kept], _ session: Session, at now: Timestamp, until deadline: Instant
    ) async {
        await withDiscardingTaskGroup { group in
            for kept in surplus {
                group.addTask { _ = try? await session.write(nil, over: kept, nil, at: now, until: deadline) }
            }
        }
    }

    /// Nothing that anybody waits for is given up for room, but the oldest of what is over is.
    /// - Returns: whether there was any.
    private func makeRoom(
        _ session: Session, at now: Timestamp, until deadline: Instant
    ) async throws(StoreFailure) -> Bool {
        var isAny = false
        for partition in keys.partitions {
            let answer = try await session.repeating(until: deadline) { () throws(RedisError) in
                try await session.run(
                    Scripts.oldest, keys: [partition.over],
                    [Session.bytes(Int64(max(8, Self.portion / keys.partitions.count))), partition.records],
                    until: deadline)
            }
            let oldest = (answer.array ?? []).compactMap { try? session.kept($0) }
            await forget(oldest, session, at: now, until: deadline)
            isAny = isAny || !oldest.isEmpty
        }
        return isAny
    }
}
