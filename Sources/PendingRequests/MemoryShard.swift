internal import SwitchyardCrypto
internal import Synchronization

/// A part of the memory store: some of the requests, packed, and when each has to be looked at again.
///
/// A million requests are kept in as many bytes as they take: a record is one allocation, and what finds it is a number.
final class MemoryShard: Sendable {
    private struct Entry {
        var packed: [UInt8]
        /// The second of the one note in `due` that counts for the record; others are left over.
        var notedAt: Int64
    }

    private struct State {
        /// By half of their id; the other half is compared when a request is asked for.
        var entries: [UInt64: Entry] = [:]
        /// Requests by the second in which to look at them.
        var due: [Int64: [UInt64]] = [:]
        /// Tombstones in the order in which they became such, for forgetting the oldest; some are gone already.
        var tombstones: [UInt64] = []
        var tombstoneCount = 0
    }

    /// What time, or a lack of room, has done.
    struct Aged {
        var finished: [RequestRecord] = []
        var changes: [(old: QuotaCounter.Share, new: QuotaCounter.Share)] = []
        var forgotten: [(state: SHA256Digest, share: QuotaCounter.Share)] = []
    }

    private let state = Mutex(State())

    /// - Returns: false when another has the same half of an id.
    func add(_ record: RequestRecord, packed: [UInt8]) -> Bool {
        state.withLock { state in
            guard state.entries[record.id.key] == nil else { return false }
            state.entries[record.id.key] = Entry(packed: packed, notedAt: .max)
            Self.note(record, &state)
            return true
        }
    }

    func packed(_ key: UInt64) -> [UInt8]? {
        state.withLock { $0.entries[key]?.packed }
    }

    /// Takes a step, if `isMeant` says that the record is the one.
    /// - Parameter count: gets the shares before and after; false refuses the step for want of room.
    func apply(
        _ transition: RequestTransition, to key: UInt64, at now: Timestamp, isMeant: (RequestRecord) -> Bool,
        count: (QuotaCounter.Share, QuotaCounter.Share) -> Bool
    ) throws(RequestTransition.Refusal) -> RequestRecord {
        let result = state.withLock { state -> Result<RequestRecord, RequestTransition.Refusal> in
            guard let packed = state.entries[key]?.packed, var record = try? RequestRecord(packed: packed),
                isMeant(record)
            else { return .failure(.unknown) }
            return Result { () throws(RequestTransition.Refusal) in
                let old = QuotaCounter.Share(record, packed: packed.count)
                let wasTombstone = record.isTombstone
                try record.apply(transition, at: now)
                let changed = record.packed
                guard count(old, QuotaCounter.Share(record, packed: changed.count)) else { throw .noRoom }
                Self.keep(record, changed, wasTombstone: wasTombstone, &state)
                return record
            }
        }
        return try result.get()
    }

    func age(at now: Timestamp, maximumTombstones: Int) -> Aged {
        state.withLock { state in
            var aged = Aged()
            // One key for each second that lies ahead: few, however many requests there are.
            for second in state.due.keys.filter({ $0 <= now.seconds }).sorted() {
                for key in state.due.removeValue(forKey: second) ?? [] where state.entries[key]?.notedAt == second {
                    Self.visit(key, &state, now, &aged)
                }
            }
            Self.dropTombstones(state.tombstoneCount - maximumTombstones, &state, &aged)
            return aged
        }
    }

    /// Forgets the oldest tombstones.
    func dropTombstones(_ count: Int) -> Aged {
        state.withLock { state in
            var aged = Aged()
            Self.dropTombstones(count, &state, &aged)
            return aged
        }
    }

    private static func visit(_ key: UInt64, _ state: inout State, _ now: Timestamp, _ aged: inout Aged) {
        guard let packed = state.entries[key]?.packed, var record = try? RequestRecord(packed: packed) else { return }
        if record.isForgotten(at: now) { return forget(key, record, packed.count, &state, &aged) }
        let old = QuotaCounter.Share(record, packed: packed.count)
        let (wasFinished, wasTombstone) = (record.isFinished, record.isTombstone)
        // Aging never refuses.
        try? record.apply(.age, at: now)
        if record.isForgotten(at: now) {
            if !wasFinished { aged.finished.append(record) }
            return forget(key, record, old, &state, &aged, wasTombstone: wasTombstone)
        }
        let changed = record.packed
        state.entries[key]?.notedAt = .max
        keep(record, changed, wasTombstone: wasTombstone, &state)
        if record.isFinished, !wasFinished { aged.finished.append(record) }
        if changed != packed { aged.changes.append((old, QuotaCounter.Share(record, packed: changed.count))) }
    }

    private static func keep(_ record: RequestRecord, _ packed: [UInt8], wasTombstone: Bool, _ state: inout State) {
        state.entries[record.id.key]?.packed = packed
        note(record, &state)
        if record.isTombstone, !wasTombstone {
            state.tombstones.append(record.id.key)
            state.tombstoneCount += 1
        }
    }

    private static func dropTombstones(_ surplus: Int, _ state: inout State, _ aged: inout Aged) {
        var left = surplus
        var visited = 0
        for key in state.tombstones {
            let packed = state.entries[key]?.packed
            // Those that time has forgotten go from the list as they come by.
            guard left > 0 || packed == nil else { break }
            visited += 1
            guard let packed, let record = try? RequestRecord(packed: packed) else { continue }
            forget(key, record, packed.count, &state, &aged)
            left -= 1
        }
        state.tombstones.removeFirst(visited)
    }

    private static func forget(
        _ key: UInt64, _ record: RequestRecord, _ size: Int, _ state: inout State, _ aged: inout Aged
    ) {
        forget(
            key, record, QuotaCounter.Share(record, packed: size), &state, &aged, wasTombstone: record.isTombstone)
    }

    private static func forget(
        _ key: UInt64, _ record: RequestRecord, _ share: QuotaCounter.Share, _ state: inout State, _ aged: inout Aged,
        wasTombstone: Bool
    ) {
        state.entries[key] = nil
        if wasTombstone { state.tombstoneCount -= 1 }
        aged.forgotten.append((record.stateHash, share))
    }

    /// Notes when to look at a record, unless that is noted for an earlier moment: it is looked at then, and noted again.
    /// Rounded up to the next second, so that what is due at a visit really is.
    private static func note(_ record: RequestRecord, _ state: inout State) {
        let second = record.dueAt.roundedUp
        guard let notedAt = state.entries[record.id.key]?.notedAt, second < notedAt else { return }
        state.entries[record.id.key]?.notedAt = second
        state.due[second, default: []].append(record.id.key)
    }
}

extension Timestamp {
    /// In whole seconds.
    fileprivate var roundedUp: Int64 { (milliseconds + 999) / 1000 }
}
