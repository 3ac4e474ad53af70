internal import Synchronization

/// A part of a record table: some of the requests, packed, and when each must be looked at again.
///
/// It is made for a million requests: a record is one allocation, and is found by a number.
final class RecordShard: Sendable {
    private struct Entry {
        var packed: [UInt8]
        /// The second at which time changes the record.
        var dueAt = Int64.max
        /// The second of the one note in `due` that counts for the record; others are left over. It may come before
        /// `dueAt`, never after it.
        var notedAt = Int64.max
    }

    private struct State {
        /// The records by half of their id. A look-up compares the other half.
        var entries: [UInt64: Entry] = [:]
        /// The requests to look at, by the second.
        var due: [Int64: [UInt64]] = [:]
        /// The tombstones, the oldest first; some are removed already.
        var tombstones: [UInt64] = []
        var tombstoneCount = 0

        /// Notes when to look at a record, unless an earlier look is noted: that look notes the next one. The time is
        /// rounded up to the next second, so that a record is due when it is looked at.
        mutating func note(_ key: UInt64, at time: Timestamp) {
            note(key, at: (time.milliseconds + 999) / 1000)
        }

        mutating func note(_ key: UInt64, at second: Int64) {
            guard let notedAt = entries[key]?.notedAt else { return }
            entries[key]?.dueAt = second
            guard second < notedAt else { return }
            entries[key]?.notedAt = second
            due[second, default: []].append(key)
        }

        mutating func update(
            _ key: UInt64, of whole: RequestKey,
            _ change: (inout RequestRecord, _ packed: Int) throws(RequestTransition.Refusal) -> RecordUpdate
        ) throws(RequestTransition.Refusal) -> RequestRecord {
            guard let packed = entries[key]?.packed, var record = try? RequestRecord(packed: packed), record.is(whole)
            else { throw .unknown }
            let wasTombstone = record.isTombstone
            switch try change(&record, packed.count) {
            case .keep(let packed):
                entries[key]?.packed = packed
                note(key, at: record.dueAt)
                if record.isTombstone, !wasTombstone { bury(key) }
            case .remove:
                entries[key] = nil
                if wasTombstone { tombstoneCount -= 1 }
            }
            return record
        }

        mutating func bury(_ key: UInt64) {
            tombstones.append(key)
            tombstoneCount += 1
        }
    }

    private let state = Mutex(State())

    /// - Returns: false if another record has the same half of an id.
    func add(_ record: RequestRecord, packed: [UInt8]) -> Bool {
        state.withLock { state in
            let key = record.id.key
            guard state.entries[key] == nil else { return false }
            state.entries[key] = Entry(packed: packed)
            state.note(key, at: record.dueAt)
            if record.isTombstone { state.bury(key) }
            return true
        }
    }

    func packed(_ key: UInt64) -> [UInt8]? {
        state.withLock { $0.entries[key]?.packed }
    }

    /// - Parameter whole: the key of which `key` is a half. A record with another key counts as unknown.
    /// - Returns: the record after `change`, also if it was removed.
    func update(
        _ key: UInt64, of whole: RequestKey,
        _ change: (inout RequestRecord, _ packed: Int) throws(RequestTransition.Refusal) -> RecordUpdate
    ) throws(RequestTransition.Refusal) -> RequestRecord {
        try state.withLock { state throws(RequestTransition.Refusal) in try state.update(key, of: whole, change) }
    }

    /// - Returns: the earlier bytes; nil if there were none, and then it stores nothing.
    func replace(with record: RequestRecord, packed: [UInt8]) -> [UInt8]? {
        state.withLock { state in
            let key = record.id.key
            guard let old = state.entries[key]?.packed else { return nil }
            state.entries[key]?.packed = packed
            state.note(key, at: record.dueAt)
            // The earlier state matters only for a tombstone, which the record becomes once.
            if record.isTombstone, (try? RequestRecord(packed: old))?.isTombstone == false { state.bury(key) }
            return old
        }
    }

    /// The requests that wait for their callback.
    var waiting: [RequestRecord] {
        state.withLock { state in
            state.entries.values.compactMap { entry in
                guard let record = try? RequestRecord(packed: entry.packed), case .pending = record.phase else {
                    return nil
                }
                return record
            }
        }
    }

    // MARK: Time and room

    func takeDue(at now: Timestamp) -> [RequestID] {
        state.withLock { state in
            var due: [RequestID] = []
            // One key for each second that lies ahead: few, however many requests there are.
            for second in state.due.keys.filter({ $0 <= now.seconds }).sorted() {
                for key in state.due.removeValue(forKey: second) ?? [] {
                    guard let entry = state.entries[key], entry.notedAt == second else { continue }
                    state.entries[key]?.notedAt = .max
                    if entry.dueAt > now.seconds {
                        state.note(key, at: entry.dueAt)
                    } else if let id = RequestRecord.id(ofPacked: entry.packed) {
                        due.append(id)
                    }
                }
            }
            return due
        }
    }

    func noteAgain(_ key: UInt64) {
        state.withLock { state in
            if let entry = state.entries[key] { state.note(key, at: entry.dueAt) }
        }
    }

    func takeTombstones(above maximum: Int) -> [RequestID] {
        state.withLock { Self.takeTombstones($0.tombstoneCount - maximum, &$0) }
    }

    func takeTombstones(_ count: Int) -> [RequestID] {
        state.withLock { Self.takeTombstones(count, &$0) }
    }

    private static func takeTombstones(_ count: Int, _ state: inout State) -> [RequestID] {
        var taken: [RequestID] = []
        var visited = 0
        for key in state.tombstones {
            let packed = state.entries[key]?.packed
            // Tombstones that time has removed leave the list on the way.
            guard taken.count < count || packed == nil else { break }
            visited += 1
            if let id = packed.flatMap(RequestRecord.id(ofPacked:)) { taken.append(id) }
        }
        state.tombstones.removeFirst(visited)
        // The caller must give up the taken ones; otherwise they count as the newest.
        state.tombstones += taken.map(\.key)
        return taken
    }
}
