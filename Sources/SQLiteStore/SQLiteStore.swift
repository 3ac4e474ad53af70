public import SwitchyardCrypto
public import SwitchyardPendingRequests
public import SwitchyardReactor
public import SwitchyardRouting
internal import Synchronization

/// Requests in an SQLite database: they survive the process, and the machine's crash.
///
/// One gateway owns the file, so all committed requests are in its memory as well. A look-up reads there: it does not
/// wait for the disk and does not hold up the writer. Changes go to one thread, which commits all that came meanwhile
/// as one transaction. Callers do not wait for a timer, and get their answer only once the disk has the change. One
/// exception: the first read of a result is written within a second. After a crash before that, the result stays
/// readable for longer.
/// Safe from any thread.
public final class SQLiteStore: SharedStore {
    private let writer: StoreWriter
    private let timelines: TimelineFile
    /// The number of databases that are still open: that of requests, and that of histories.
    private let openDatabases = Atomic(2)
    private let patience: Duration
    /// Requests that time has finished after the caller of `age` had given up.
    private let finishedLate = Mutex<[RequestRecord]>([])

    /// Opens the database, or keeps trying: until then each operation fails with the reason.
    /// - Parameters:
    ///   - path: the database. A missing one is made, with a lock and SQLite's own files beside it.
    ///   - maximumRemembered: the largest number of tombstones.
    ///   - ownKey: makes the store keep a key beside the database, and is called with it before the first look-up; nil
    ///     if the configuration has keys.
    ///   - patience: the time that a caller waits for the disk.
    ///   - warn: gets the files that other users could read or change until now; on any thread.
    /// - Throws: ``SQLiteStoreError`` when another gateway has the file; the store then stays closed.
    public init(
        path: String, maximumRemembered: Int, ownKey: (@Sendable (KeyRing.Key) -> Void)?,
        patience: Duration = .milliseconds(1800), warn: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(SQLiteStoreError) {
        self.patience = patience
        let writer = try StoreWriter(path: path, maximumRemembered: maximumRemembered, ownKey: ownKey, warn: warn)
        self.writer = writer
        do throws(SystemError) {
            timelines = try TimelineFile(beside: path, patience: patience, warn: warn) { writer.isOpen }
        } catch {
            throw SQLiteStoreError(description: "\(path): the thread for histories cannot start: \(error)")
        }
    }

    deinit {
        timelines.stop()
        writer.stop()
    }

    /// Commits the changes that callers asked for, and closes the files, so that another gateway can have them. From then
    /// on each operation fails. To be called once, and only from a task of an event loop.
    /// - Parameter deadline: the end of the wait for a disk that does not answer. The store's own threads wait longer.
    /// - Returns: nil when the files are closed. Otherwise the changes that may be lost; the files are closed once the
    ///   disk answers.
    public func close(until deadline: Instant) async -> StoreError? {
        let closed = Signal()
        for one in [timelines.close(), writer.close()] {
            one.whenRaised { [self] in
                if openDatabases.subtract(1, ordering: .acquiringAndReleasing).newValue == 0 { closed.raise() }
            }
        }
        return await closed.wait(until: deadline) ? nil : writer.closeFailure
    }

    /// Whether all files are closed.
    public var isClosed: Bool { openDatabases.load(ordering: .acquiring) == 0 }

    public func insert(
        _ record: RequestRecord, within quota: RequestQuota
    ) async throws(StoreError) -> Result<Void, InsertionRefusal> {
        try await perform { staging in
            Result { () throws(InsertionRefusal) in try staging.insert(record, within: quota) }
        }
    }

    public func find(_ key: RequestKey) async throws(StoreError) -> RequestRecord? {
        try await waitUntilOpen()
        return writer.table.find(key)
    }

    public func apply(
        _ transition: RequestTransition, to key: RequestKey, within quota: RequestQuota, at now: Timestamp
    ) async throws(StoreError) -> Result<RequestRecord, RequestTransition.Refusal> {
        if transition.isReading, let result = writer.readings.read(key, transition, at: now) {
            return result
        }
        return try await perform { staging in
            Result { () throws(RequestTransition.Refusal) in
                try staging.apply(transition, to: key, within: quota, at: now)
            }
        }
    }

    public func age(at now: Timestamp) async -> Aging {
        var aging = Aging()
        do throws(StoreError) {
            aging = try await stageAge(at: now)
        } catch {
            aging.failure = error
        }
        aging.finished += finishedLate.withLock { late in
            defer { late = [] }
            return late
        }
        return aging
    }

    private func stageAge(at now: Timestamp) async throws(StoreError) -> Aging {
        let keep = { @Sendable [weak self] (aging: Aging) in _ = self?.finishedLate.withLock { $0 += aging.finished } }
        return try await perform(ifLate: keep) { [writer] staging in
            // After a failure, a write finds out whether the disk takes changes again.
            if writer.hasFailed { staging.beat = now }
            if now >= writer.nextCleaning {
                writer.nextCleaning = now + .seconds(60)
                staging.cleanUntil = now
            }
            if writer.hasUnwritten { staging.includesDeferred = true }
            writer.forgetExpired(at: now)
            return staging.age(at: now, maximumRemembered: writer.maximumRemembered)
        }
    }

    public func usage() async throws(StoreError) -> StoreUsage {
        try await waitUntilOpen()
        return writer.table.counter.usage
    }

    public func mayBePending(_ app: AppID) async throws(StoreError) -> Bool {
        try await waitUntilOpen()
        return writer.table.counter.hasUnfinished(app)
    }

    public func inherited() async throws(StoreError) -> [RequestRecord] {
        try await waitUntilOpen()
        return writer.table.waiting
    }

    /// Waits with the writes until the database was read.
    public func waitUntilOpen() async throws(StoreError) {
        if !writer.isOpen { try await perform { _ in } }
    }

    public func use(
        _ digest: ShortDigest, of id: RequestID, until: Timestamp, at now: Timestamp
    ) async throws(StoreError) -> OneTimeUse {
        try await perform { staging in staging.use(digest, of: id, until: until, at: now) }
    }

    public func undoUse(
        _ digest: ShortDigest, of id: RequestID, until: Timestamp
    ) async throws(StoreError) {
        try await perform { staging in staging.undoUse(digest, of: id, until: until) }
    }

    public func registration(_ key: ShortDigest, at now: Timestamp) async throws(StoreError) -> [UInt8]? {
        try await waitUntilOpen()
        return writer.registrations.find(key, at: now)
    }

    public func replaceRegistration(
        _ key: ShortDigest, _ seen: [UInt8]?, by new: SealedRegistration?, at now: Timestamp
    ) async throws(StoreError) -> Bool {
        try await perform { staging in staging.replaceRegistration(key, seen, by: new, at: now) }
    }

    public func add(_ notes: [TimelineNote], at now: Timestamp) async -> TimelineShortfall? {
        await timelines.add(notes, at: now)
    }

    public func timeline(of reference: Reference, at now: Timestamp) async throws(StoreError) -> Timeline? {
        try await timelines.timeline(of: reference, at: now)
    }

    /// Stages a step with those of other callers, and waits until it is committed.
    /// - Parameter take: gets the value of a step that is committed after the wait; on any thread.
    private func perform<Value: Sendable>(
        ifLate take: @escaping @Sendable (Value) -> Void = { _ in }, _ step: @escaping @Sendable (Staging) -> Value
    ) async throws(StoreError) -> Value {
        let reply = StoreReply<Value>(ifLate: take)
        writer.enqueue(
            StoreJob(
                isWanted: { reply.isWanted },
                stage: { staging in
                    let value = step(staging)
                    return { reply.finish(.success(value)) }
                },
                fail: { reply.finish(.failure($0)) }))
        return try await reply.wait(atMost: patience)
    }
}

/// The reason why a store cannot be made; usually another gateway has the database.
public struct SQLiteStoreError: Error, CustomStringConvertible {
    public let description: String
}
