internal import Glibc
internal import SwitchyardCSQLite
internal import SwitchyardFiles
internal import SwitchyardPendingRequests
internal import SwitchyardReactor

/// The histories of sign-ins, in memory and in a small database beside that of the requests. It has its own thread, so
/// that no request waits for a history. A write waits for the disk only when SQLite copies its log into the file.
///
/// Histories matter less than sign-ins: while the file cannot be written, they are in memory only. A damaged file is
/// replaced by a new one.
///
/// Why `@unchecked Sendable`: what is not a constant belongs to its own thread.
final class TimelineFile: @unchecked Sendable {
    /// The shortest time between a failure and the next opening.
    private static let pause = Duration.seconds(5)
    private static let form: Int64 = 2
    /// "SyTl".
    private static let application: Int64 = 0x5379_546C

    private let file: StoreFile
    private let patience: Duration
    /// Whether this process owns the database of requests, and with it this file.
    private let isOurs: @Sendable () -> Bool
    private let group: EventLoopGroup
    private let loop: EventLoop

    // On its own thread only.
    private var table = TimelineTable()
    private var rows = TimelineRows()
    private var database: HistoryDatabase?
    private var isLoaded = false
    private var isClosed = false
    private var nextOpening = Instant(nanoseconds: 0)
    private var failure: StoreError?

    private struct HistoryDatabase {
        let connection: Database
        let put: Statement
        let delete: Statement
    }

    /// - Parameters:
    ///   - path: the path of the database of requests.
    ///   - patience: how long a caller waits for the thread.
    ///   - warn: gets what other users could do with the file until now.
    init(
        beside path: String, patience: Duration, warn: @escaping @Sendable (String) -> Void = { _ in },
        isOurs: @escaping @Sendable () -> Bool
    ) throws(SystemError) {
        file = StoreFile(path: path + ".history", warn: warn)
        self.patience = patience
        self.isOurs = isOurs
        group = try EventLoopGroup(count: 1)
        loop = group.loops[0]
        try group.start()
    }

    /// Writes the last changes, and ends the thread.
    func stop() {
        loop.execute { [self] in closeFile() }
        group.stop()
    }

    /// Writes the last changes, and closes the file, once the disk answers.
    /// - Returns: a signal that is raised when the file is closed.
    func close() -> Signal {
        let closed = Signal()
        loop.execute { [self] in
            closeFile()
            closed.raise()
        }
        return closed
    }

    /// Adds notes in memory, and then in the file. Returns the shortfall if the file did not take earlier notes.
    func add(_ notes: [TimelineNote], at now: Timestamp) async -> TimelineShortfall? {
        let reply = StoreReply<StoreError?>()
        loop.execute { [self] in
            guard reply.isWanted else { return }
            if !isLoaded { open() }
            rows.note(table.add(notes, at: now))
            reply.finish(.success(failure))
            write()
        }
        do throws(StoreError) {
            return try await reply.wait(atMost: patience).map { TimelineShortfall($0) }
        } catch {
            return TimelineShortfall(error, waiting: notes)
        }
    }

    func timeline(of reference: Reference, at now: Timestamp) async throws(StoreError) -> Timeline? {
        let reply = StoreReply<Timeline?>()
        loop.execute { [self] in
            if !isLoaded { open() }
            reply.finish(.success(table[reference, at: now]))
        }
        return try await reply.wait(atMost: patience)
    }

    // MARK: Its own thread

    private func closeFile() {
        write()
        database = nil
        isClosed = true
    }

    /// - Parameter isLastTry: whether a damaged file was replaced already. It is replaced once.
    private func write(isLastTry: Bool = false) {
        guard !rows.isWhole else { return }
        open()
        guard database != nil else { return }
        do throws(DatabaseError) {
            try writeRows()
            rows.written()
            failure = nil
        } catch {
            if failed(error), !isLastTry { write(isLastTry: true) }
        }
    }

    private func writeRows() throws(DatabaseError) {
        guard let database else { return }
        try database.connection.run("BEGIN IMMEDIATE")
        for number in rows.deletions {
            try database.delete.bind(number, at: 1)
            try database.delete.run()
        }
        for reference in rows.changed {
            guard let history = table.packed(reference) else { continue }
            try database.put.bind(rows.row(of: reference), at: 1)
            try database.put.bind(reference.bytes, at: 2)
            try database.put.bind(history.createdAt.milliseconds, at: 3)
            try database.put.bind(history.bytes, at: 4)
            try database.put.run()
        }
        try database.connection.run("COMMIT")
    }

    /// Closes the file for a while. A damaged file is removed, and the next opening makes one with the histories in
    /// memory.
    /// - Returns: whether it was damaged.
    private func failed(_ error: DatabaseError) -> Bool {
        // Close first: SQLite removes the side files of the file that has this name at that moment.
        database = nil
        rows.close()
        failure = StoreError("\(file.path): \(error)")
        guard [SQLITE_CORRUPT, SQLITE_NOTADB].contains(error.code & 0xFF), isOurs() else {
            nextOpening = .now() + Self.pause
            return false
        }
        for suffix in ["", "-wal", "-shm"] { FilePath.remove(file.path + suffix) }
        isLoaded = true
        return true
    }

    private func open(isLastTry: Bool = false) {
        guard database == nil, !isClosed, isOurs(), Instant.now() >= nextOpening else { return }
        do throws(StoreError) {
            try file.prepare()
        } catch {
            nextOpening = .now() + Self.pause
            failure = error
            return
        }
        do throws(DatabaseError) {
            database = try openDatabase()
        } catch {
            if failed(error), !isLastTry { open(isLastTry: true) }
        }
    }

    private func openDatabase() throws(DatabaseError) -> HistoryDatabase {
        let connection = try Database(path: file.path, lockWait: .milliseconds(500))
        let found = try connection.number("PRAGMA application_id")
        let tables = try connection.number("SELECT count(*) FROM sqlite_schema")
        guard found == Self.application || tables == 0 else {
            throw DatabaseError(code: SQLITE_MISUSE, description: "it is another program's database")
        }
        // A crash of the machine may take the last histories with it, and leaves the file whole.
        try connection.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA trusted_schema = OFF")
        if try connection.number("PRAGMA user_version") != Self.form {
            // A file of another version is emptied: a day later its histories would have expired anyway.
            try connection.run(
                """
                BEGIN IMMEDIATE;
                DROP TABLE IF EXISTS histories;
                CREATE TABLE histories (
                    number INTEGER PRIMARY KEY, reference BLOB NOT NULL, created INTEGER NOT NULL, history BLOB NOT NULL
                ) STRICT;
                PRAGMA application_id = \(Self.application);
                PRAGMA user_version = \(Self.form);
                COMMIT;
                """)
        }
        if isLoaded { try compare(connection) } else { try load(connection) }
        return HistoryDatabase(
            connection: connection,
            put: try connection.prepare(
                "INSERT OR REPLACE INTO histories (number, reference, created, history) VALUES (?, ?, ?, ?)"),
            delete: try connection.prepare("DELETE FROM histories WHERE number = ?"))
    }

    /// Finds the histories that the file lacks, and its surplus ones.
    private func compare(_ connection: Database) throws(DatabaseError) {
        let found = try connection.prepare("SELECT number, reference FROM histories ORDER BY number")
        var numbers: [(number: Int64, reference: Reference?)] = []
        while try found.step() { numbers.append((found.number(0), Reference(bytes: found.bytes(1)[...]))) }
        rows.open(numbers, histories: table.references)
    }

    /// Reads the whole file. Entries in memory are newer than those of the file.
    private func load(_ connection: Database) throws(DatabaseError) {
        let found = try connection.prepare("SELECT number, reference, created, history FROM histories ORDER BY number")
        var histories: [Reference: (created: Timestamp, bytes: [UInt8])] = [:]
        var order: [(number: Int64, reference: Reference?)] = []
        while try found.step() {
            let reference = Reference(bytes: found.bytes(1)[...])
            order.append((found.number(0), reference))
            guard let reference else { continue }
            histories[reference] = (Timestamp(milliseconds: found.number(2)), found.bytes(3))
        }
        let newer = table
        table = TimelineTable()
        for case let reference? in order.map(\.reference) {
            guard let history = histories.removeValue(forKey: reference) else { continue }
            table.load(history.bytes, of: reference, createdAt: history.created)
        }
        for reference in newer.references {
            guard let history = newer.packed(reference) else { continue }
            table.load(history.bytes, of: reference, createdAt: history.createdAt)
        }
        rows.open(order, histories: table.references)
        isLoaded = true
    }
}
