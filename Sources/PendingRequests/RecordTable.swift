internal import SwitchyardCrypto
internal import Synchronization

/// Records in memory: found by id and by state, with their counts and the times when they are due. Safe from any thread.
///
/// Split into shards, each with its own lock, so that loops on different cores hardly ever meet. The memory store has its
/// requests only here. The SQLite store reads here, and writes to the disk as well.
package final class RecordTable: Sendable {
    private static let shardCount: UInt64 = 16

    package let counter = QuotaCounter()
    private let shards = (0..<shardCount).map { _ in RecordShard() }
    private let states = (0..<shardCount).map { _ in StateIndex() }

    package init() {}

    package func find(_ key: RequestKey) -> RequestRecord? { look(at: key)?.record }

    /// A record, and the length of its packed form.
    package func look(at key: RequestKey) -> (record: RequestRecord, packed: Int)? {
        guard let half = half(of: key), let packed = shard(for: half).packed(half),
            let record = try? RequestRecord(packed: packed), record.is(key)
        else { return nil }
        return (record, packed.count)
    }

    package func packed(_ id: RequestID) -> [UInt8]? { shard(for: id.key).packed(id.key) }

    /// Adds a record that is counted already.
    /// - Returns: false when there is one with its id or state.
    package func add(_ record: RequestRecord, packed: [UInt8]) -> Bool {
        guard index(for: record.stateHash).add(record.stateHash, record.id) else { return false }
        guard shard(for: record.id.key).add(record, packed: packed) else {
            index(for: record.stateHash).remove(record.stateHash)
            return false
        }
        return true
    }

    /// Changes a record in one atomic step.
    /// - Parameter change: gets the record and its packed size, and returns the result. It moves the entry in the counts.
    package func update(
        _ key: RequestKey,
        _ change: (inout RequestRecord, _ packed: Int) throws(RequestTransition.Refusal) -> RecordUpdate
    ) throws(RequestTransition.Refusal) -> RequestRecord {
        guard let half = half(of: key) else { throw .unknown }
        var isThere = true
        let record = try shard(for: half).update(half, of: key) { record, size throws(RequestTransition.Refusal) in
            let update = try change(&record, size)
            if case .remove = update { isThere = false }
            return update
        }
        if !isThere { index(for: record.stateHash).remove(record.stateHash) }
        return record
    }

    /// Replaces the earlier form of a record. The caller moves the entry in the counts.
    /// - Returns: the earlier bytes; nil if there were none, and then it stores nothing.
    package func replace(with record: RequestRecord, packed: [UInt8]) -> [UInt8]? {
        shard(for: record.id.key).replace(with: record, packed: packed)
    }

    /// The requests that wait for their callback. Looks at every request.
    package var waiting: [RequestRecord] { shards.flatMap(\.waiting) }

    // MARK: Time and room

    /// The due requests. The caller must update each, or note it again.
    package func takeDue(at now: Timestamp) -> [RequestID] {
        shards.flatMap { $0.takeDue(at: now) }
    }

    /// Notes a request again that could not be updated.
    package func noteAgain(_ id: RequestID) {
        shard(for: id.key).noteAgain(id.key)
    }

    /// The oldest tombstones above a maximum. The caller must update each; one that stays then counts as the newest.
    package func takeTombstones(above maximum: Int) -> [RequestID] {
        shards.flatMap { $0.takeTombstones(above: maximum / shards.count) }
    }

    /// Some of the oldest tombstones, for want of room.
    package func takeTombstones() -> [RequestID] {
        shards.flatMap { $0.takeTombstones(16) }
    }

    // MARK: Finding

    /// The half of the id by which a shard finds the request.
    private func half(of key: RequestKey) -> UInt64? {
        switch key {
        case .id(let id): id.key
        case .state(let hash): index(for: hash).half(for: hash)
        }
    }

    private func shard(for half: UInt64) -> RecordShard { shards[Int(half % Self.shardCount)] }

    private func index(for hash: SHA256Digest) -> StateIndex { states[Int(hash.prefix % Self.shardCount)] }
}

/// The result of an update.
package enum RecordUpdate {
    case keep(packed: [UInt8])
    case remove
}

extension RequestRecord {
    /// Whether this is the record with this key. The table finds records by half of a key.
    func `is`(_ key: RequestKey) -> Bool {
        switch key {
        case .id(let id): id == self.id
        case .state(let hash): hash == stateHash
        }
    }
}

/// Finds requests by the digest of their state. A quarter of the digest is the key. If an attacker makes two states
/// alike in that quarter, the second one is refused.
private final class StateIndex: Sendable {
    private let halves = Mutex<[UInt64: UInt64]>([:])

    /// - Returns: false if the state is there already.
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
