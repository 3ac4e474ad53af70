internal import SwitchyardCrypto
internal import SwitchyardPendingRequests

/// The changes of one transaction. Each is judged against the committed state and the changes staged before it, and
/// counted at once. They stay invisible until they are on the disk. Belongs to the writer's thread.
final class Staging {
    /// A request before and after; nil before its beginning and after its removal.
    struct Change {
        let old: Before?
        var new: StagedRecord?
    }

    /// An earlier record, and its count.
    struct Before {
        let record: RequestRecord
        /// The length of its packed form.
        let size: Int
        let entry: QuotaCounter.Entry
    }

    /// A record as the transaction will write it, and its count.
    struct StagedRecord {
        let record: RequestRecord
        let packed: [UInt8]
        let entry: QuotaCounter.Entry

        init(_ record: RequestRecord) {
            self.record = record
            packed = record.packed
            entry = QuotaCounter.Entry(record, packed: packed.count)
        }
    }

    private let table: RecordTable
    private let oneTimeTable: OneTimeTable
    private let registrationTable: RegistrationTable
    /// nil for a removed record.
    private(set) var registrations: [ShortDigest: SealedRegistration?] = [:]
    private(set) var changes: [RequestID: Change] = [:]
    /// The ids of the changes, in the order of their first staging.
    private(set) var order: [RequestID] = []
    private(set) var uses: [(id: RequestID, digest: ShortDigest, until: Timestamp)] = []
    /// Uses that are undone before their end.
    private(set) var usesUndone: [(id: RequestID, digest: ShortDigest, until: Timestamp)] = []
    /// The moment at which ended uses and registrations are removed from the disk; nil to leave them for now.
    var cleanUntil: Timestamp?
    /// The time to write although no request has changed.
    var beat: Timestamp?
    /// Whether a caller waits for the disk to have a change. Only a result's first read can wait: if it is lost, the
    /// result can be read for longer.
    private var isUrgent = false
    /// Whether deferred changes are written too.
    var includesDeferred = false
    private var states: [SHA256Digest: RequestID] = [:]
    /// The due requests, whose notes this transaction took from the table. They are noted again at its end.
    private var due: [RequestID] = []

    init(_ table: RecordTable, _ oneTimeTable: OneTimeTable, _ registrations: RegistrationTable) {
        self.table = table
        self.oneTimeTable = oneTimeTable
        registrationTable = registrations
    }

    var mustBeCommitted: Bool {
        isUrgent || includesDeferred || !uses.isEmpty || !usesUndone.isEmpty || cleanUntil != nil
            || beat != nil || !registrations.isEmpty
    }

    // MARK: Staging

    func insert(_ record: RequestRecord, within quota: RequestQuota) throws(InsertionRefusal) {
        let staged = StagedRecord(record)
        do throws(InsertionRefusal) {
            try table.counter.take(staged.entry, within: quota)
        } catch {
            guard error == .tooManyBytes, makeRoom() else { throw error }
            try table.counter.take(staged.entry, within: quota)
        }
        // A state that this transaction removes is in use until it is gone.
        guard changes[record.id] == nil, find(.state(record.stateHash)) == nil, find(.id(record.id)) == nil else {
            table.counter.move(from: staged.entry, to: nil)
            throw .stateInUse
        }
        // The request is counted already, so it is not staged as a change of counts.
        order.append(record.id)
        isUrgent = true
        changes[record.id] = Change(old: nil, new: staged)
        states[record.stateHash] = record.id
    }

    func apply(
        _ transition: RequestTransition, to key: RequestKey, within quota: RequestQuota, at now: Timestamp
    ) throws(RequestTransition.Refusal) -> RequestRecord {
        guard let old = find(key) else { throw .unknown }
        var record = old.record
        try record.apply(transition, at: now)
        let new = StagedRecord(record)
        func shortage() -> InsertionRefusal? {
            transition.room(within: quota).flatMap {
                table.counter.shortage(for: new.entry, after: old.entry, within: $0)
            }
        }
        if let first = shortage() {
            guard first == .tooManyBytes, makeRoom(), shortage() == nil else { throw .noRoom }
        }
        if transition.removes {
            stage(old, nil)
        } else if record != old.record {
            stage(old, new, canWait: transition.isReading)
        }
        return record
    }

    /// Applies time to due requests, and forgets tombstones above the maximum.
    func age(at now: Timestamp, maximumRemembered: Int) -> Aging {
        due = table.takeDue(at: now)
        var aging = Aging()
        for id in due {
            guard let old = find(.id(id)) else { continue }
            var record = old.record
            // Aging never refuses.
            try? record.apply(.age, at: now)
            if record.isFinished, !old.record.isFinished { aging.finished.append(record) }
            if record.isLeft { aging.left.append(record) }
            if record.isForgotten(at: now) {
                stage(old, nil)
            } else if record != old.record {
                stage(old, StagedRecord(record))
            }
        }
        forget(table.takeTombstones(above: maximumRemembered))
        return aging
    }

    func use(_ digest: ShortDigest, of id: RequestID, until: Timestamp, at now: Timestamp) -> OneTimeUse {
        let use = oneTimeTable.use(digest, of: id, until: until, at: now)
        if use == .first { uses.append((id, digest, until)) }
        return use
    }

    func undoUse(_ digest: ShortDigest, of id: RequestID, until: Timestamp) {
        usesUndone.append((id, digest, until))
    }

    /// - Returns: false for a record that is no longer the one that was seen.
    func replaceRegistration(
        _ key: ShortDigest, _ seen: [UInt8]?, by new: SealedRegistration?, at now: Timestamp
    ) -> Bool {
        let present: [UInt8]? =
            if let staged = registrations[key] { staged?.sealed } else { registrationTable.find(key, at: now) }
        guard present == seen else { return false }
        if new != nil, registrations[key] == nil, !registrationTable.has(key) {
            let added = registrations.count { $0.value != nil && !registrationTable.has($0.key) }
            if let last = registrationTable.surplus(adding: added + 1) { registrations[last] = .some(nil) }
        }
        registrations[key] = .some(new)
        return true
    }

    private func find(_ key: RequestKey) -> Before? {
        func staged(_ change: Change) -> Before? {
            change.new.map { Before(record: $0.record, size: $0.packed.count, entry: $0.entry) }
        }
        switch key {
        case .id(let id): if let change = changes[id] { return staged(change) }
        case .state(let hash): if let change = states[hash].flatMap({ changes[$0] }) { return staged(change) }
        }
        guard let (record, packed) = table.look(at: key) else { return nil }
        if let change = changes[record.id] { return staged(change) }
        return Before(record: record, size: packed, entry: QuotaCounter.Entry(record, packed: packed))
    }

    private func stage(_ old: Before, _ new: StagedRecord?, canWait: Bool = false) {
        if !canWait { isUrgent = true }
        let id = old.record.id
        table.counter.move(from: old.entry, to: new?.entry)
        if changes[id] == nil {
            order.append(id)
            changes[id] = Change(old: old, new: new)
        } else {
            changes[id]?.new = new
        }
    }

    /// Makes room by dropping the oldest tombstones; requests that a caller waits for stay.
    private func makeRoom() -> Bool {
        let tombstones = table.takeTombstones()
        forget(tombstones)
        return !tombstones.isEmpty
    }

    private func forget(_ ids: [RequestID]) {
        for id in ids {
            if let old = find(.id(id)) { stage(old, nil) }
        }
    }

    // MARK: The end

    /// Makes the changes visible, because they are on the disk.
    func publish() {
        for id in order {
            guard let change = changes[id] else { continue }
            switch (change.old, change.new) {
            case (nil, let new?): _ = table.add(new.record, packed: new.packed)
            case (let old?, let new?):
                let stood = table.replace(with: new.record, packed: new.packed)
                // A first reading may have changed the record meanwhile, which makes it longer.
                if let stood, stood.count != old.size, let record = try? RequestRecord(packed: stood) {
                    table.counter.move(from: QuotaCounter.Entry(record, packed: stood.count), to: old.entry)
                }
                if new.record.outcome?.isAcknowledged == true { oneTimeTable.forget(of: id) }
            case (_?, nil): _ = try? table.update(.id(id)) { _, _ in .remove }
            case (nil, nil): break
            }
        }
        for use in usesUndone { oneTimeTable.undoUse(use.digest, of: use.id, until: use.until) }
        for (key, registration) in registrations { registrationTable.set(key, registration) }
        for id in due { table.noteAgain(id) }
    }

    /// Removes the changes from the counts and from memory, because the transaction failed.
    func rollBack() {
        for change in changes.values { table.counter.move(from: change.new?.entry, to: change.old?.entry) }
        for use in uses { oneTimeTable.undoUse(use.digest, of: use.id) }
        for id in due { table.noteAgain(id) }
    }
}

extension RequestTransition {
    /// Whether its only change is that a result was read.
    var isReading: Bool { if case .read = self { true } else { false } }
}
