internal import Glibc
internal import SwitchyardCSQLite
internal import SwitchyardPendingRequests
internal import SwitchyardReactor

/// The histories of sign-ins, in memory and in a small database of their own beside the requests', with a thread of its own: what
/// is written here never stands before a request's commit, and waits for no disk but when SQLite brings its log in.
///
/// They matter less than sign-ins: while the file cannot be written they are in memory only, and written once it can be. A file
/// that is damaged is begun anew.
///
/// Why `@unchecked Sendable`: what is not a constant belongs to its own thread.
final class TimelineFile: @unchecked Sendable {
    /// How long a caller waits for the thread.
    private static let patience = Duration.milliseconds(1800)
    /// After a failure, how soon the file is opened anew at the earliest.
    private static let pause = Duration.seconds(5)
    private static let form: Int64 = 1
    /// "SyTl".
    private static let application: Int64 = 0x5379_546C

    private let file: StoreFile
    /// Whether the requests' database is this process's, and with it this file.
    private let isOurs: @Sendable () -> Bool
    private let group: EventLoopGroup
    private let loop: EventLoop

    // On its own thread only.
    private var table = TimelineTable()
    private var connection: Connection?
    private var isLoaded = false
    private var isClosed = false
    /// The row of each history.
    private var numbers: [Reference: Int64] = [:]
    private var nextNumber: Int64 = 1
    /// What the file does not have yet.
    private var unwritten = TimelineTable.Changes()
    private var nextOpening = Instant(nanoseconds: 0)
    private var failure: StoreFailure?

    private struct Connection {
        let database: Database
        let put: Statement
        let delete: Statement
    }

    /// - Parameter path: of the requests' database.
    init(beside path: String, isOurs: @escaping @Sendable () -> Bool) throws(SystemError) {
        file = StoreFile(path: path + ".history")
        self.isOurs = isOurs
        group = try EventLoopGroup(count: 1)
        loop = group.loops[0]
        group.start()
    }

    /// Writes what is left, and ends the thread.
    func stop() {
        loop.execute { [self] in letGo() }
        group.stop()
    }

    func close() async { await loop.start { [self] in letGo() }.value }

    /// Keeps notes in memory, and then in the file.
    /// - Returns: why the file did not take what came before; nil while it works.
    func add(_ notes: [TimelineNote], at now: Timestamp) async throws(StoreFailure) -> StoreFailure? {
        let ticket = StoreTicket<StoreFailure?>()
        loop.execute { [self] in
            guard ticket.isWanted else { return }
            if !isLoaded { open() }
            let changes = table.add(notes, at: now)
            unwritten.changed.formUnion(changes.changed)
            unwritten.changed.subtract(changes.removed)
            unwritten.removed.formUnion(changes.removed)
            ticket.finish(.success(failure))
            write()
        }
        return try await ticket.wait(atMost: Self.patience)
    }

    func timeline(of reference: Reference, at now: Timestamp) async throws(StoreFailure) -> Timeline? {
        let ticket = StoreTicket<Timeline?>()
        loop.execute { [self] in
            if !isLoaded { open() }
            ticket.finish(.success(table[reference, at: now]))
        }
        return try await ticket.wait(atMost: Self.patience)
    }

    // MARK: Its own thread

    private func letGo() {
        write()
        connection = nil
        isClosed = true
    }

    private func write() {
        guard !unwritten.changed.isEmpty || !unwritten.removed.isEmpty else { return }
        open()
        guard let connection else { return }
        do throws(DatabaseError) {
            try connection.database.run("BEGIN IMMEDIATE")
            for reference in unwritten.removed {
                guard let number = numbers[reference] else { continue }
                try connection.delete.bind(number, at: 1)
                try connection.delete.run()
            }
            for reference in unwritten.changed { try put(reference, connection) }
            try connection.database.run("COMMIT")
            for reference in unwritten.removed where !unwritten.changed.contains(reference) { numbers[reference] = nil }
            unwritten = TimelineTable.Changes()
            failure = nil
        } catch {
            // Rows of histories that went into it are put once more, with the same numbers.
            failed(error)
        }
    }

    private func put(_ reference: Reference, _ connection: Connection) throws(DatabaseError) {
        guard let kept = table.packed(reference) else { return }
        let number = numbers[reference] ?? nextNumber
        if number == nextNumber {
            numbers[reference] = number
            nextNumber += 1
        }
        try connection.put.bind(number, at: 1)
        try connection.put.bind(reference.bytes, at: 2)
        try connection.put.bind(kept.createdAt.milliseconds, at: 3)
        try connection.put.bind(kept.bytes, at: 4)
        try connection.put.run()
    }

    private func failed(_ error: DatabaseError) {
        connection = nil
        nextOpening = .now() + Self.pause
        failure = StoreFailure("\(file.path): \(error)")
    }

    private func open() {
        guard connection == nil, !isClosed, isOurs(), Instant.now() >= nextOpening else { return }
        do throws(StoreFailure) {
            try file.prepare()
        } catch {
            nextOpening = .now() + Self.pause
            failure = error
            return
        }
        do throws(DatabaseError) {
            do throws(DatabaseError) {
                connection = try connected()
            } catch {
                guard [SQLITE_CORRUPT, SQLITE_NOTADB].contains(error.code & 0xFF) else { throw error }
                for suffix in ["", "-wal", "-shm"] { unsafe unlink(file.path + suffix) }
                (numbers, isLoaded) = ([:], true)
                unwritten.changed.formUnion(table.references)
                connection = nil
                try? file.prepare()
                connection = try connected()
            }
        } catch {
            failed(error)
        }
    }

    private func connected() throws(DatabaseError) -> Connection {
        let database = try Database(path: file.path, patience: .milliseconds(500))
        let found = try database.number("PRAGMA application_id")
        let tables = try database.number("SELECT count(*) FROM sqlite_schema")
        guard found == Self.application || tables == 0 else {
            throw DatabaseError(code: SQLITE_MISUSE, description: "it is another program's database")
        }
        // A crash of the machine may take the last histories with it, and leaves the file whole.
        try database.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA trusted_schema = OFF")
        if try database.number("PRAGMA user_version") != Self.form {
            // Of another version: a day later nobody would have asked for it any more.
            try database.run(
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
        if !isLoaded { try load(database) }
        return Connection(
            database: database,
            put: try database.prepare(
                "INSERT OR REPLACE INTO histories (number, reference, created, history) VALUES (?, ?, ?, ?)"),
            delete: try database.prepare("DELETE FROM histories WHERE number = ?"))
    }

    private func load(_ database: Database) throws(DatabaseError) {
        let rows = try database.prepare("SELECT number, reference, created, history FROM histories ORDER BY number")
        while try rows.step() {
            guard let reference = Reference(bytes: rows.bytes(1)) else { continue }
            numbers[reference] = rows.number(0)
            nextNumber = rows.number(0) + 1
            table.load(rows.bytes(3), of: reference, createdAt: Timestamp(milliseconds: rows.number(2)))
        }
        isLoaded = true
    }
}
