public import SwitchyardCrypto
internal import Synchronization

/// Requests in this process's memory. They are lost when it ends.
///
/// Split into shards, each with its own lock, so that loops on different cores hardly ever meet.
public final class MemoryStore: SharedStore {
    private static let shardCount: UInt64 = 16

    private let shards: [MemoryShard]
    private let states: [StateIndex]
    private let proofs: [UsedProofs]
    private let counter = QuotaCounter()
    private let maximumRemembered: Int

    /// - Parameter maximumRemembered: how many tombstones are kept at the most for repeated callbacks; the oldest are
    ///   forgotten first. What is more than a tombstone is never forgotten.
    public init(maximumRemembered: Int = 100_000) {
        shards = (0..<Self.shardCount).map { _ in MemoryShard() }
        states = (0..<Self.shardCount).map { _ in StateIndex() }
        proofs = (0..<Self.shardCount).map { _ in UsedProofs() }
        self.maximumRemembered = maximumRemembered / Int(Self.shardCount)
    }

    public func insert(
        _ record: RequestRecord, within quota: RequestQuota
    ) async throws(StoreFailure) -> Result<Void, InsertionRefusal> {
        Result { () throws(InsertionRefusal) in
            let packed = record.packed
            let share = QuotaCounter.Share(record, packed: packed.count)
            try take(share, for: record, within: quota)
            guard index(for: record.stateHash).add(record.stateHash, record.id) else {
                counter.giveBack(share)
                throw .stateInUse
            }
            guard shard(for: record.id.key).add(record, packed: packed) else {
                index(for: record.stateHash).remove(record.stateHash)
                counter.giveBack(share)
                throw .stateInUse
            }
        }
    }

    public func find(_ key: RequestKey) async throws(StoreFailure) -> RequestRecord? {
        guard let packed = half(of: key).flatMap({ shard(for: $0).packed($0) }) else { return nil }
        return (try? RequestRecord(packed: packed)).flatMap { $0.is(key) ? $0 : nil }
    }

    public func apply(
        _ transition: RequestTransition, to key: RequestKey, within quota: RequestQuota, at now: Timestamp
    ) async throws(StoreFailure) -> Result<RequestRecord, RequestTransition.Refusal> {
        Result { () throws(RequestTransition.Refusal) in
            guard let half = half(of: key) else { throw .unknown }
            do throws(RequestTransition.Refusal) {
                return try apply(transition, to: half, key, quota, now)
            } catch {
                guard error == .noRoom, makeRoom() else { throw error }
                return try apply(transition, to: half, key, quota, now)
            }
        }
    }

    private func apply(
        _ transition: RequestTransition, to half: UInt64, _ key: RequestKey, _ quota: RequestQuota, _ now: Timestamp
    ) throws(RequestTransition.Refusal) -> RequestRecord {
        try shard(for: half).apply(transition, to: half, at: now) { record in
            record.is(key)
        } count: { old, new in
            if transition.asksForRoom, !counter.hasRoom(for: new.bytes - old.bytes, within: quota) { return false }
            counter.change(from: old, to: new)
            return true
        }
    }

    public func age(at now: Timestamp) async throws(StoreFailure) -> [RequestRecord] {
        var finished: [RequestRecord] = []
        for shard in shards {
            let aged = shard.age(at: now, maximumTombstones: maximumRemembered)
            count(aged)
            finished += aged.finished
        }
        for proofs in proofs { proofs.forget(at: now) }
        return finished
    }

    public func usage() async throws(StoreFailure) -> StoreUsage { counter.usage }

    public func use(
        _ proof: SHA256Digest, until: Timestamp, at now: Timestamp
    ) async throws(StoreFailure) -> Bool {
        proofs[Int(proof.prefix % Self.shardCount)].use(proof, until: until, at: now)
    }

    // MARK: Room

    private func take(
        _ share: QuotaCounter.Share, for record: RequestRecord, within quota: RequestQuota
    ) throws(InsertionRefusal) {
        let isAuthenticated = record.beginner.isAuthenticated
        do throws(InsertionRefusal) {
            try counter.take(share, isAuthenticated: isAuthenticated, within: quota)
        } catch {
            guard error == .tooManyBytes, makeRoom() else { throw error }
            try counter.take(share, isAuthenticated: isAuthenticated, within: quota)
        }
    }

    /// Nothing that anybody waits for is given up for room, but the oldest tombstones are.
    /// - Returns: whether there were any.
    private func makeRoom() -> Bool {
        var dropped = 0
        for shard in shards {
            let aged = shard.dropTombstones(16)
            count(aged)
            dropped += aged.forgotten.count
        }
        return dropped > 0
    }

    private func count(_ aged: MemoryShard.Aged) {
        for change in aged.changes { counter.change(from: change.old, to: change.new) }
        for forgotten in aged.forgotten {
            counter.giveBack(forgotten.share)
            index(for: forgotten.state).remove(forgotten.state)
        }
    }

    // MARK: Finding

    /// The half of its id that a request is kept under.
    private func half(of key: RequestKey) -> UInt64? {
        switch key {
        case .id(let id): id.key
        case .state(let hash): index(for: hash).half(for: hash)
        }
    }

    private func shard(for half: UInt64) -> MemoryShard { shards[Int(half % Self.shardCount)] }

    private func index(for hash: SHA256Digest) -> StateIndex { states[Int(hash.prefix % Self.shardCount)] }
}

extension RequestRecord {
    /// Whether this is the record of a key of which half was looked up.
    fileprivate func `is`(_ key: RequestKey) -> Bool {
        switch key {
        case .id(let id): id == self.id
        case .state(let hash): hash == stateHash
        }
    }
}

/// Finds requests by the digest of their state. A quarter of the digest is the key: somebody who makes two states alike in
/// that has the second one refused.
private final class StateIndex: Sendable {
    private let halves = Mutex<[UInt64: UInt64]>([:])

    /// False when the state is there already.
    func add(_ hash: SHA256Digest, _ id: RequestID) -> Bool {
        halves.withLock { halves in
            guard halves[hash.prefix] == nil else { return false }
            halves[hash.prefix] = id.key
            return true
        }
    }

    func half(for hash: SHA256Digest) -> UInt64? { halves.withLock { $0[hash.prefix] } }
    func remove(_ hash: SHA256Digest) { halves.withLock { $0[hash.prefix] = nil } }
}

/// Proofs of possession that were used, for as long as they would be good.
private final class UsedProofs: Sendable {
    private struct State {
        var seen: [SHA256Digest: Timestamp] = [:]
        var nextCleaning = Timestamp.zero
    }

    private let state = Mutex(State())

    func use(_ proof: SHA256Digest, until: Timestamp, at now: Timestamp) -> Bool {
        state.withLock { state in
            if let until = state.seen[proof], until > now { return false }
            state.seen[proof] = until
            return true
        }
    }

    func forget(at now: Timestamp) {
        state.withLock { state in
            guard !state.seen.isEmpty, now >= state.nextCleaning else { return }
            state.nextCleaning = now + .seconds(5)
            state.seen = state.seen.filter { $0.value > now }
        }
    }
}
