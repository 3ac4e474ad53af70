internal import SwitchyardCSQLite
internal import SwitchyardCrypto
internal import SwitchyardPendingRequests
internal import SwitchyardReactor
internal import Synchronization

/// The thread that owns the database, and the state that it shares with the other threads.
///
/// Why `@unchecked Sendable`: what is not a constant, atomic or behind a mutex belongs to its own thread.
final class StoreWriter: @unchecked Sendable {
    /// The committed requests.
    let table: RecordTable
    let readings: StoreReadings
    let maximumRemembered: Int
    private let oneTimeTable = OneTimeTable()
    /// The committed registrations of clients.
    let registrations = RegistrationTable()
    private let path: String
    private let group: EventLoopGroup
    private let loop: EventLoop
    private let queue = Mutex(StoreQueue())
    /// Whether the committed requests were read, which happens once.
    private let wasOpened = Atomic(false)
    private let ownKey: (@Sendable (KeyRing.Key) -> Void)?
    private let warn: @Sendable (String) -> Void
    /// The number of requests that the present transaction changes; 0 between two.
    private let changesUnderWay = Atomic(0)

    // On the writer's thread only.
    private var database: OwnedDatabase
    private var isLoaded = false
    private var rows = RequestRows()
    /// Requests with deferred changes, which the next `age` writes.
    private var unwritten: Set<RequestID> = []
    /// Rows that a failed transaction has touched, and their requests. Changes that reached the log before the disk
    /// failed are found there, whole, when the database is opened anew. The next transaction sets these rows back to
    /// the committed state.
    private var doubtful: [Int64: RequestID] = [:]
    private var lastFailure: StoreError? { didSet { readings.note(isWell: lastFailure == nil) } }
    var nextCleaning = Timestamp(milliseconds: 0)

    /// Whether the last transaction failed. On the writer's thread only.
    var hasFailed: Bool { lastFailure != nil }

    init(
        path: String, maximumRemembered: Int, ownKey: (@Sendable (KeyRing.Key) -> Void)?,
        warn: @escaping @Sendable (String) -> Void
    ) throws(SQLiteStoreError) {
        self.path = path
        self.warn = warn
        database = try OwnedDatabase(path: path, warn: warn)
        table = RecordTable()
        readings = StoreReadings(of: table)
        self.maximumRemembered = maximumRemembered
        self.ownKey = ownKey
        do throws(SystemError) {
            group = try EventLoopGroup(count: 1)
            try group.start()
        } catch {
            throw SQLiteStoreError(description: "\(path): the store's thread cannot start: \(error)")
        }
        loop = group.loops[0]
        // Opens the database.
        enqueue(StoreJob(isWanted: { true }, stage: { _ in {} }, fail: { _ in }))
    }

    deinit { _ = database.giveUp() }

    /// Whether the next `age` has something to write. On the writer's thread only.
    var hasUnwritten: Bool { !unwritten.isEmpty || !doubtful.isEmpty || !readings.isEmpty }

    /// Writes the deferred changes, and ends the thread.
    func stop() {
        loop.execute { [self] in
            work()
            writeDeferred()
        }
        group.stop()
    }

    private func writeDeferred() {
        guard hasUnwritten else { return }
        let flush: @Sendable (Staging) -> @Sendable () -> Void = { staging in
            staging.includesDeferred = true
            return {}
        }
        commit([StoreJob(isWanted: { true }, stage: flush, fail: { _ in })])
    }

    /// Commits the jobs until now, and closes the files, once the disk answers.
    /// - Returns: a signal that is raised when the files are closed.
    func close() -> Signal {
        let closed = Signal()
        loop.execute { [self] in
            work()
            writeDeferred()
            lastFailure = database.giveUp()
            closed.raise()
        }
        return closed
    }

    /// Why the files are not closed after ``close()``, and how many changes may be lost.
    var closeFailure: StoreError {
        let changes = changesUnderWay.load(ordering: .acquiring)
        let known = "\(path): the disk does not answer"
        guard changes > 0 else { return StoreError(known) }
        return StoreError(
            known + "; whether the last changes (requests: \(changes)) are on it is not known, and no caller was "
                + "told that they are")
    }

    func forgetExpired(at now: Timestamp) {
        oneTimeTable.forget(at: now)
        registrations.forget(at: now)
    }

    var isOpen: Bool { wasOpened.load(ordering: .acquiring) }

    /// Callable from any thread.
    func enqueue(_ job: StoreJob) {
        let here = EventLoop.current
        switch queue.withLock({ $0.add(job, from: here) }) {
        case .refused: job.fail(StoreError("\(path): too much waits for the disk"))
        case .gathering: here?.callLater(after: StoreQueue.rounds) { [weak self] in self?.call() }
        case .called: call()
        case .waiting: break
        }
    }

    /// Calls the writer, if anything waits for it. Callable from any thread.
    private func call() {
        if queue.withLock({ $0.call() }) { loop.execute { [weak self] in self?.work() } }
    }

    // MARK: The writer's thread

    /// Commits all jobs since the last time, and again, until no more have come meanwhile.
    private func work() {
        while true {
            let jobs = queue.withLock { $0.take() }
            guard !jobs.isEmpty else { return }
            commit(jobs.filter { $0.isWanted() })
        }
    }

    private func commit(_ jobs: [StoreJob]) {
        let connection: Connection
        do throws(StoreError) {
            connection = try database.opened { connection throws(StoreError) in try read(connection) }
        } catch {
            lastFailure = error
            for job in jobs { job.fail(error) }
            return
        }
        let staging = Staging(table, oneTimeTable, registrations)
        let endings = jobs.map { $0.stage(staging) }
        do throws(DatabaseError) {
            if staging.mustBeCommitted {
                readings.note(isBusy: true)
                changesUnderWay.store(staging.order.count, ordering: .releasing)
                defer {
                    readings.note(isBusy: false)
                    changesUnderWay.store(0, ordering: .releasing)
                }
                if staging.includesDeferred { unwritten.formUnion(readings.take()) }
                try connection.commit { () throws(DatabaseError) in try write(staging, to: connection) }
                if staging.includesDeferred { unwritten = [] }
                doubtful = [:]
                lastFailure = nil
            } else {
                unwritten.formUnion(staging.order)
            }
        } catch {
            for (id, change) in staging.changes {
                guard let number = rows[id] else { continue }
                doubtful[number] = id
                if change.old == nil { rows[id] = nil }
            }
            staging.rollBack()
            let failure = database.close(after: error)
            lastFailure = failure
            for job in jobs { job.fail(failure) }
            return
        }
        for (id, change) in staging.changes where change.new == nil { rows[id] = nil }
        staging.publish()
        for ending in endings { ending() }
    }

    private func write(_ staging: Staging, to connection: Connection) throws(DatabaseError) {
        for (number, id) in doubtful {
            try connection.restore(rows[id] == number ? table.packed(id) : nil, number: number)
        }
        for id in staging.order {
            guard let change = staging.changes[id] else { continue }
            switch (change.old, change.new) {
            case (nil, let new?):
                try connection.insert(new.packed, number: rows.add(id))
            case (_?, let new?): try connection.update(new.packed, number: rows[id] ?? 0)
            case (_?, nil): try connection.delete(number: rows[id] ?? 0)
            case (nil, nil): break
            }
        }
        if staging.includesDeferred {
            for id in unwritten where staging.changes[id] == nil {
                guard let number = rows[id], let packed = table.packed(id) else { continue }
                try connection.update(packed, number: number)
            }
        }
        for use in staging.uses { try connection.insert(use.digest, of: use.id, until: use.until) }
        for use in staging.usesUndone {
            try connection.delete(use.digest, of: use.id, until: use.until)
        }
        for (key, registration) in staging.registrations { try connection.set(registration, at: key) }
        if let time = staging.cleanUntil {
            try connection.deleteUses(until: time)
            try connection.deleteRegistrations(until: time)
        }
        if let time = staging.beat { try connection.beat(at: time) }
    }

    // MARK: Opening

    /// Reads all committed requests, at the first opening.
    private func read(_ connection: Connection) throws(StoreError) {
        guard !isLoaded else { return }
        if let ownKey { ownKey(try StoreKey.load(beside: path, warn: warn)) }
        do throws(DatabaseError) {
            try load(connection)
        } catch {
            throw StoreError(error, at: path)
        }
        isLoaded = true
        readings.note(isWell: lastFailure == nil)
        wasOpened.store(true, ordering: .releasing)
    }

    private func load(_ connection: Connection) throws(DatabaseError) {
        try connection.requests { number, packed throws(DatabaseError) in
            try rows.load(packed, at: number, into: table)
        }
        try connection.uses { id, digest, until in
            _ = oneTimeTable.use(digest, of: id, until: until, at: Timestamp(milliseconds: 0))
        }
        try connection.registrations { key, registration in registrations.set(key, registration) }
    }
}
