internal import Synchronization

/// Keeps the short histories of sign-ins, apart from their requests and longer: 24 hours, and 10,000 at the most.
///
/// A history matters less than any sign-in: if it cannot be stored it is lost, and sign-ins never wait for it. Safe
/// from any thread.
public protocol TimelineStore: Sendable {
    /// Adds to histories, and forgets old and surplus ones. Called about once a second with all that happened
    /// meanwhile.
    /// - Returns: nil if all of it is as safe as this store makes it.
    func add(_ notes: [TimelineNote], at now: Timestamp) async -> TimelineShortfall?

    /// Returns the history of a sign-in, also if another gateway wrote it; nil without one.
    func timeline(of reference: Reference, at now: Timestamp) async throws(StoreError) -> Timeline?
}

/// The notes that a store did not make as safe as it usually does.
public struct TimelineShortfall: Sendable {
    /// The first reason, if there are several.
    public let reason: StoreError
    /// The notes that may be given again, in their order: those that are known already count once, or nearly. Empty if
    /// all of them are in this process's memory, and for now only there.
    public let waiting: [TimelineNote]
    /// The number of notes that this store will never take; 0 or more.
    public let lost: Int

    public init(_ reason: StoreError, waiting: [TimelineNote] = [], lost: Int = 0) {
        self.reason = reason
        self.waiting = waiting
        self.lost = lost
    }
}

/// Histories in this process's memory. Safe from any thread.
public final class MemoryTimelines: TimelineStore {
    private let table = Mutex(TimelineTable())

    public init() {}

    public func add(_ notes: [TimelineNote], at now: Timestamp) async -> TimelineShortfall? {
        table.withLock { table in _ = table.add(notes, at: now) }
        return nil
    }

    public func timeline(of reference: Reference, at now: Timestamp) async throws(StoreError) -> Timeline? {
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
    public func timeline(of reference: Reference) async throws(StoreError) -> Timeline? {
        try await store.timeline(of: reference, at: clock())
    }
}
