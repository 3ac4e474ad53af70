/// Histories in memory, packed. Only for one thread at a time.
package struct TimelineTable: Sendable {
    private struct PackedHistory {
        var packed: [UInt8]
        var room: TimelineRoom
        let createdAt: Timestamp
    }

    /// The histories of one room, the oldest first. Some have moved to the other room, or are gone.
    private struct Queue {
        var references: [Reference] = []
        var first = 0
        /// The number of histories that are still here.
        var count = 0
    }

    private var histories: [Reference: PackedHistory] = [:]
    private var queues = [Queue](repeating: Queue(), count: TimelineRoom.allCases.count)
    private var bytes = 0

    /// The approximate bytes of a history beside its packed bytes.
    private static let overhead = 120

    package init() {}

    package var count: Int { histories.count }

    /// The histories that a call has changed or removed, for a store that also writes them to a file.
    package struct Changes {
        package var changed: Set<Reference> = []
        package var removed: Set<Reference> = []

        package init() {}
    }

    @discardableResult
    package mutating func add(_ notes: [TimelineNote], at now: Timestamp) -> Changes {
        var changes = Changes()
        for (reference, notes) in Dictionary(grouping: notes, by: \.reference) {
            guard let first = notes.first else { continue }
            let old = histories[reference]
            var timeline =
                old.flatMap { try? Timeline(packed: $0.packed) } ?? Timeline(app: first.app, room: first.room)
            timeline.add(notes)
            put(timeline, of: reference, old, createdAt: old?.createdAt ?? now)
            changes.changed.insert(reference)
        }
        forget(at: now, &changes)
        return changes
    }

    /// Adds a history from the bytes of ``packed(_:)``. If the table has a part of it already, this is the later part.
    package mutating func load(_ packed: [UInt8], of reference: Reference, createdAt: Timestamp) {
        guard let later = try? Timeline(packed: packed) else { return }
        guard let old = histories[reference], var timeline = try? Timeline(packed: old.packed) else {
            return put(later, of: reference, histories[reference], createdAt: createdAt)
        }
        timeline.add(later)
        put(timeline, of: reference, old, createdAt: min(old.createdAt, createdAt))
    }

    package subscript(reference: Reference, at now: Timestamp) -> Timeline? {
        guard let history = histories[reference], now - history.createdAt < TimelineRoom.lifetime else { return nil }
        return try? Timeline(packed: history.packed)
    }

    package func packed(_ reference: Reference) -> (createdAt: Timestamp, bytes: [UInt8])? {
        histories[reference].map { ($0.createdAt, $0.packed) }
    }

    /// The references of all histories, in the order in which they began.
    package var references: [Reference] {
        histories.sorted { $0.value.createdAt < $1.value.createdAt }.map(\.key)
    }

    private mutating func put(
        _ timeline: Timeline, of reference: Reference, _ old: PackedHistory?, createdAt: Timestamp
    ) {
        let (packed, room) = (timeline.packed, timeline.room)
        bytes += packed.count - (old.map(\.packed.count) ?? -Self.overhead)
        histories[reference] = PackedHistory(packed: packed, room: room, createdAt: createdAt)
        guard old?.room != room else { return }
        if let old { queues[old.room.rawValue].count -= 1 }
        queues[room.rawValue].references.append(reference)
        queues[room.rawValue].count += 1
    }

    /// Lets time pass, and makes room.
    package mutating func forget(at now: Timestamp, _ changes: inout Changes) {
        for room in TimelineRoom.allCases {
            while let reference = oldest(of: room), let old = histories[reference],
                now - old.createdAt >= TimelineRoom.lifetime
            {
                remove(reference, old, &changes)
            }
        }
        while let room = TimelineRoom.tooFull(queues.map(\.count), isFull: bytes > TimelineRoom.maximumBytes),
            let reference = oldest(of: room), let old = histories[reference]
        {
            remove(reference, old, &changes)
        }
    }

    private mutating func remove(_ reference: Reference, _ old: PackedHistory, _ changes: inout Changes) {
        histories[reference] = nil
        queues[old.room.rawValue].count -= 1
        bytes -= old.packed.count + Self.overhead
        changes.changed.remove(reference)
        changes.removed.insert(reference)
    }

    /// The history that has been in a room for the longest time.
    private mutating func oldest(of room: TimelineRoom) -> Reference? {
        var queue = queues[room.rawValue]
        queues[room.rawValue].references = []
        defer { queues[room.rawValue] = queue }
        // Histories that left the room would pile up behind one that stays.
        if queue.references.count > 2 * queue.count + 64 {
            queue.references = queue.references[queue.first...].filter { histories[$0]?.room == room }
            queue.first = 0
        }
        while queue.first < queue.references.count {
            let reference = queue.references[queue.first]
            if histories[reference]?.room == room { return reference }
            queue.first += 1
        }
        (queue.references, queue.first) = ([], 0)
        return nil
    }
}
