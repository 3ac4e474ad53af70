internal import SwitchyardCrypto
internal import Synchronization

/// Requests in this process's memory. They are lost when it ends.
///
/// Split into shards, each with its own lock, so that loops on different cores hardly ever meet.
public final class MemoryStore: RequestStore {
    private static let shardCount = 16

    private let shards: [MemoryShard]
    private let states: [StateIndex]
    private let counter = QuotaCounter()
    private let maximumRemembered: Int

    /// - Parameter maximumRemembered: how many finished requests are kept at the most for repeated callbacks; the
    ///   oldest are forgotten first. Unfinished ones are never forgotten.
    public init(maximumRemembered: Int = 100_000) {
        shards = (0..<Self.shardCount).map { _ in MemoryShard() }
        states = (0..<Self.shardCount).map { _ in StateIndex() }
        self.maximumRemembered = maximumRemembered / Self.shardCount
    }

    public func insert(
        _ records: [RequestRecord], quota: RequestQuota
    ) async throws(StoreFailure) -> [Result<Void, InsertionRefusal>] {
        records.map { record in
            Result { () throws(InsertionRefusal) in
                try counter.take(record, quota: quota)
                guard index(for: record.stateHash).add(record.stateHash, record.id) else {
                    counter.giveBack(record)
                    throw .stateInUse
                }
                shard(for: record.id).add(record)
            }
        }
    }

    public func find(_ keys: [RequestKey]) async throws(StoreFailure) -> [RequestRecord?] {
        keys.map { key in id(for: key).flatMap { shard(for: $0).record($0) } }
    }

    public func apply(
        _ changes: [RequestChange], at now: Timestamp
    ) async throws(StoreFailure) -> [Result<RequestRecord, RequestTransition.Refusal>] {
        changes.map { change in
            Result { () throws(RequestTransition.Refusal) in
                guard let id = id(for: change.key) else { throw .unknown }
                let (record, hasFinished) = try shard(for: id).apply(change.transition, to: id, at: now)
                if hasFinished { counter.giveBack(record) }
                return record
            }
        }
    }

    public func age(at now: Timestamp) async throws(StoreFailure) -> [RequestRecord] {
        var finished: [RequestRecord] = []
        for shard in shards {
            let aged = shard.age(at: now, maximumRemembered: maximumRemembered)
            for record in aged.finished { counter.giveBack(record) }
            for hash in aged.forgottenStates { index(for: hash).remove(hash) }
            finished += aged.finished
        }
        return finished
    }

    public func pendingCount() async throws(StoreFailure) -> Int {
        counter.total
    }

    private func id(for key: RequestKey) -> RequestID? {
        switch key {
        case .id(let id): id
        case .state(let hash): index(for: hash).id(for: hash)
        }
    }

    private func shard(for id: RequestID) -> MemoryShard {
        shards[id.shard % Self.shardCount]
    }

    private func index(for hash: SHA256Digest) -> StateIndex {
        states[hash.shard % Self.shardCount]
    }
}

/// Finds requests by the digest of their state.
private final class StateIndex: Sendable {
    private let ids = Mutex<[SHA256Digest: RequestID]>([:])

    /// False when the state is there already.
    func add(_ hash: SHA256Digest, _ id: RequestID) -> Bool {
        ids.withLock { ids in
            guard ids[hash] == nil else { return false }
            ids[hash] = id
            return true
        }
    }

    func id(for hash: SHA256Digest) -> RequestID? { ids.withLock { $0[hash] } }
    func remove(_ hash: SHA256Digest) { ids.withLock { $0[hash] = nil } }
}
