public import SwitchyardCrypto
public import SwitchyardRouting

/// Requests in this process's memory. They are lost when it ends.
public final class MemoryStore: SharedStore {
    private let table = RecordTable()
    private let oneTimeTable = OneTimeTable()
    private let timelines = MemoryTimelines()
    private let registrations = RegistrationTable()
    private let maximumRemembered: Int

    /// - Parameter maximumRemembered: the maximum of tombstones, which answer repeated callbacks. The oldest are
    ///   forgotten first.
    public init(maximumRemembered: Int = 100_000) {
        self.maximumRemembered = maximumRemembered
    }

    public func insert(
        _ record: RequestRecord, within quota: RequestQuota
    ) async throws(StoreError) -> Result<Void, InsertionRefusal> {
        Result { () throws(InsertionRefusal) in
            let packed = record.packed
            let entry = QuotaCounter.Entry(record, packed: packed.count)
            try take(entry, within: quota)
            guard table.add(record, packed: packed) else {
                table.counter.move(from: entry, to: nil)
                throw .stateInUse
            }
        }
    }

    public func find(_ key: RequestKey) async throws(StoreError) -> RequestRecord? { table.find(key) }

    public func apply(
        _ transition: RequestTransition, to key: RequestKey, within quota: RequestQuota, at now: Timestamp
    ) async throws(StoreError) -> Result<RequestRecord, RequestTransition.Refusal> {
        Result { () throws(RequestTransition.Refusal) in
            var shortage: InsertionRefusal?
            do throws(RequestTransition.Refusal) {
                return try apply(transition, key, quota, now, &shortage)
            } catch {
                guard error == .noRoom, shortage == .tooManyBytes, makeRoom() else { throw error }
                return try apply(transition, key, quota, now, &shortage)
            }
        }
    }

    /// - Parameter shortage: gets the limit without room, if the step is refused for it.
    private func apply(
        _ transition: RequestTransition, _ key: RequestKey, _ quota: RequestQuota, _ now: Timestamp,
        _ shortage: inout InsertionRefusal?
    ) throws(RequestTransition.Refusal) -> RequestRecord {
        let record = try table.update(key) { record, size throws(RequestTransition.Refusal) in
            let old = QuotaCounter.Entry(record, packed: size)
            try record.apply(transition, at: now)
            guard !transition.removes else {
                table.counter.move(from: old, to: nil)
                return .remove
            }
            let packed = record.packed
            let new = QuotaCounter.Entry(record, packed: packed.count)
            if let room = transition.room(within: quota) {
                shortage = table.counter.shortage(for: new, after: old, within: room)
                guard shortage == nil else { throw .noRoom }
            }
            table.counter.move(from: old, to: new)
            return .keep(packed: packed)
        }
        if record.outcome?.isAcknowledged == true { oneTimeTable.forget(of: record.id) }
        return record
    }

    public func age(at now: Timestamp) async -> Aging {
        var (ended, left): ([RequestRecord], [RequestRecord]) = ([], [])
        for id in table.takeDue(at: now) {
            var wasFinished = true
            let record = try? table.update(.id(id)) { record, size in
                wasFinished = record.isFinished
                let old = QuotaCounter.Entry(record, packed: size)
                // Aging never refuses.
                try? record.apply(.age, at: now)
                guard !record.isForgotten(at: now) else {
                    table.counter.move(from: old, to: nil)
                    return .remove
                }
                let packed = record.packed
                table.counter.move(from: old, to: QuotaCounter.Entry(record, packed: packed.count))
                return .keep(packed: packed)
            }
            if let record, record.isFinished, !wasFinished { ended.append(record) }
            if let record, record.isLeft { left.append(record) }
        }
        forget(table.takeTombstones(above: maximumRemembered))
        oneTimeTable.forget(at: now)
        registrations.forget(at: now)
        var aging = Aging(finished: ended)
        aging.left = left
        return aging
    }

    public func usage() async throws(StoreError) -> StoreUsage { table.counter.usage }

    public func mayBePending(_ app: AppID) async throws(StoreError) -> Bool { table.counter.hasUnfinished(app) }

    public func use(
        _ digest: ShortDigest, of id: RequestID, until: Timestamp, at now: Timestamp
    ) async throws(StoreError) -> OneTimeUse {
        oneTimeTable.use(digest, of: id, until: until, at: now)
    }

    public func undoUse(
        _ digest: ShortDigest, of id: RequestID, until: Timestamp
    ) async throws(StoreError) {
        oneTimeTable.undoUse(digest, of: id, until: until)
    }

    // MARK: Registrations

    public func registration(_ key: ShortDigest, at now: Timestamp) async throws(StoreError) -> [UInt8]? {
        registrations.find(key, at: now)
    }

    public func replaceRegistration(
        _ key: ShortDigest, _ seen: [UInt8]?, by new: SealedRegistration?, at now: Timestamp
    ) async throws(StoreError) -> Bool {
        try await registrations.replaceRegistration(key, seen, by: new, at: now)
    }

    // MARK: Histories

    public func add(_ notes: [TimelineNote], at now: Timestamp) async -> TimelineShortfall? {
        await timelines.add(notes, at: now)
    }

    public func timeline(of reference: Reference, at now: Timestamp) async throws(StoreError) -> Timeline? {
        try await timelines.timeline(of: reference, at: now)
    }

    // MARK: Room

    private func take(_ entry: QuotaCounter.Entry, within quota: RequestQuota) throws(InsertionRefusal) {
        do throws(InsertionRefusal) {
            try table.counter.take(entry, within: quota)
        } catch {
            guard error == .tooManyBytes, makeRoom() else { throw error }
            try table.counter.take(entry, within: quota)
        }
    }

    /// Gives up the oldest tombstones for room, and only those.
    /// - Returns: whether there were any.
    private func makeRoom() -> Bool {
        let tombstones = table.takeTombstones()
        forget(tombstones)
        return !tombstones.isEmpty
    }

    private func forget(_ ids: [RequestID]) {
        for id in ids {
            // It may be gone by now.
            _ = try? table.update(.id(id)) { record, size in
                table.counter.move(from: QuotaCounter.Entry(record, packed: size), to: nil)
                return .remove
            }
        }
    }
}
