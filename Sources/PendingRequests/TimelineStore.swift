internal import Synchronization

/// Keeps the short histories of sign-ins, apart from their requests and longer: 24 hours, and 10,000 at the most.
///
/// A history matters less than any sign-in: if it cannot be kept it is lost, and sign-ins never wait for it. Safe from
/// any thread.
public protocol TimelineStore: Sendable {
    /// Adds to histories, and forgets what is too old or too much. Called about once a second with all that happened
    /// meanwhile.
    /// - Returns: nil where all of it is as safe as this store makes it.
    func add(_ notes: [TimelineNote], at now: Timestamp) async -> TimelineShortfall?

    /// Returns the history of a sign-in, whichever gateway wrote it; nil without one.
    func timeline(of reference: Reference, at now: Timestamp) async throws(StoreFailure) -> Timeline?
}

/// The notes that a store did not keep.
public struct TimelineShortfall: Sendable {
    /// Why; the first reason where there are several.
    public let reason: StoreFailure
    /// The notes that may be given again, in their order: those that are known already count once, or nearly. Empty if
    /// all of them are in this process's memory, and for now only there.
    public let waiting: [TimelineNote]
    /// How many notes are of histories that this store cannot add to, however often it is given them.
    public let lost: Int

    /// - Parameter lost: 0 or more.
    public init(_ reason: StoreFailure, waiting: [TimelineNote] = [], lost: Int = 0) {
        self.reason = reason
        self.waiting = waiting
        self.lost = lost
    }
}

/// Histories in this process's memory. Safe from any thread.
public final class MemoryTimelines: TimelineStore {
    private let table = Mutex(TimelineTable())

    /// Without any history.
    public init() {}

    public func add(_ notes: [TimelineNote], at now: Timestamp) async -> TimelineShortfall? {
        table.withLock { table in _ = table.add(notes, at: now) }
        return nil
    }

    public func timeline(of reference: Reference, at now: Timestamp) async throws(StoreFailure) -> Timeline? {
        table.withLock { $0[reference, at: now] }
    }
}

extension RequestRegistry {
    /// Adds to the histories of sign-ins, as ``TimelineStore/add(_:at:)``. Its failures do not reach the beginner of a
    /// sign-in.
    public func addToTimelines(_ notes: [TimelineNote]) async -> TimelineShortfall? {
        await store.add(notes, at: clock())
    }

    /// Returns the history of a sign-in, for 24 hours.
    public func timeline(of reference: Reference) async throws(StoreFailure) -> Timeline? {
        try await store.timeline(of: reference, at: clock())
    }
}

/// Histories in memory, packed. Not safe from several threads at once.
package struct TimelineTable: Sendable {
    private struct Kept {
        var packed: [UInt8]
        var share: Int
        let createdAt: Timestamp
    }

    /// The histories of one share, the oldest first. Some have moved to another share, or are gone.
    private struct Queue {
        var references: [Reference] = []
        var first = 0
        /// The number of histories that are still here.
        var count = 0
    }

    private var kept: [Reference: Kept] = [:]
    private var queues = [Queue](repeating: Queue(), count: TimelineShare.count)
    private var bytes = 0

    /// The approximate bytes of a history beside its packed bytes.
    private static let overhead = 120

    package init() {}

    package var count: Int { kept.count }

    /// The changed histories, for callers that also keep them elsewhere.
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
            let old = kept[reference]
            var timeline =
                old.flatMap { try? Timeline(packed: $0.packed) } ?? Timeline(app: first.app, share: first.share)
            timeline.add(notes)
            put(timeline, of: reference, old, createdAt: old?.createdAt ?? now)
            changes.changed.insert(reference)
        }
        forget(at: now, &changes)
        return changes
    }

    /// Takes in the bytes of ``packed(_:)``. If there is a part of that history already, this is the later part.
    package mutating func load(_ packed: [UInt8], of reference: Reference, createdAt: Timestamp) {
        guard let later = try? Timeline(packed: packed) else { return }
        guard let old = kept[reference], var timeline = try? Timeline(packed: old.packed) else {
            return put(later, of: reference, kept[reference], createdAt: createdAt)
        }
        timeline.add(later)
        put(timeline, of: reference, old, createdAt: min(old.createdAt, createdAt))
    }

    package subscript(reference: Reference, at now: Timestamp) -> Timeline? {
        guard let kept = kept[reference], now - kept.createdAt < TimelineRoom.lifetime else { return nil }
        return try? Timeline(packed: kept.packed)
    }

    package func packed(_ reference: Reference) -> (createdAt: Timestamp, bytes: [UInt8])? {
        kept[reference].map { ($0.createdAt, $0.packed) }
    }

    /// All of them, in the order in which they began.
    package var references: [Reference] {
        kept.sorted { $0.value.createdAt < $1.value.createdAt }.map(\.key)
    }

    private mutating func put(_ timeline: Timeline, of reference: Reference, _ old: Kept?, createdAt: Timestamp) {
        let (packed, share) = (timeline.packed, timeline.share.number)
        bytes += packed.count - (old.map(\.packed.count) ?? -Self.overhead)
        kept[reference] = Kept(packed: packed, share: share, createdAt: createdAt)
        guard old?.share != share else { return }
        if let old { queues[old.share].count -= 1 }
        queues[share].references.append(reference)
        queues[share].count += 1
    }

    /// Lets time pass, and makes room.
    package mutating func forget(at now: Timestamp, _ changes: inout Changes) {
        for share in queues.indices {
            while let reference = oldest(of: share), let old = kept[reference],
                now - old.createdAt >= TimelineRoom.lifetime
            {
                remove(reference, old, &changes)
            }
        }
        while let share = TimelineRoom.victim(queues.map(\.count), isFull: bytes > TimelineRoom.maximumBytes),
            let reference = oldest(of: share), let old = kept[reference]
        {
            remove(reference, old, &changes)
        }
    }

    private mutating func remove(_ reference: Reference, _ old: Kept, _ changes: inout Changes) {
        kept[reference] = nil
        queues[old.share].count -= 1
        bytes -= old.packed.count + Self.overhead
        changes.changed.remove(reference)
        changes.removed.insert(reference)
    }

    /// Which one has been in a share for the longest time.
    private mutating func oldest(of share: Int) -> Reference? {
        var queue = queues[share]
        queues[share].references = []
        defer { queues[share] = queue }
        // Histories that left the share would pile up behind one that stays.
        if queue.references.count > 2 * queue.count + 64 {
            queue.references = queue.references[queue.first...].filter { kept[$0]?.share == share }
            queue.first = 0
        }
        while queue.first < queue.references.count {
            let reference = queue.references[queue.first]
            if kept[reference]?.share == share { return reference }
            queue.first += 1
        }
        (queue.references, queue.first) = ([], 0)
        return nil
    }
}

extension Timeline {
    private static let packedVersion: UInt8 = 1

    /// The packed bytes of a history.
    package var packed: [UInt8] {
        var writer = PackedWriter(reserving: 64 + entries.count * 48)
        writer.byte(Self.packedVersion)
        writer.number(UInt64(share.number))
        writer.text(app)
        var previous = Timestamp.zero
        for entry in entries {
            writer.time(entry.first, since: previous)
            writer.time(entry.last, since: entry.first)
            writer.number(UInt64(entry.count))
            writer.text(entry.event.identity)
            writer.text(entry.event.particulars)
            previous = entry.first
        }
        return Array(writer.result)
    }

    /// Reads what ``packed`` wrote.
    package init(packed: [UInt8]) throws(PackedRecordError) {
        var reader = PackedReader(packed)
        let version = try reader.byte()
        guard version <= Self.packedVersion else { throw .newerVersion(version) }
        guard version == Self.packedVersion, let number = Int(exactly: try reader.number()),
            let share = TimelineShare(number: number)
        else { throw .malformed }
        self.init(app: try reader.text(), share: share)
        var previous = Timestamp.zero
        while !reader.isAtEnd {
            let first = try reader.time(since: previous)
            let last = try reader.time(since: first)
            guard let count = Int(exactly: try reader.number()), entries.count < Self.maximumEntries else {
                throw .malformed
            }
            let event = TimelineEvent(identity: try reader.text(), particulars: try reader.text())
            entries.append(Entry(event, first: first, last: last, count: count))
            previous = first
        }
    }
}
