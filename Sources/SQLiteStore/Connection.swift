internal import SwitchyardCSQLite
internal import SwitchyardCrypto
internal import SwitchyardPendingRequests

/// The database as the writer uses it. Belongs to the writer's thread.
final class Connection {
    private let database: Database
    private let begin: Statement
    private let end: Statement
    private let insertRequest: Statement
    private let updateRequest: Statement
    private let deleteRequest: Statement
    private let restoreRequest: Statement
    private let insertUse: Statement
    private let deleteUse: Statement
    private let deleteUses: Statement
    private let setRegistration: Statement
    private let deleteRegistration: Statement
    private let deleteRegistrations: Statement
    private let beat: Statement
    /// SQLite's write-ahead log: the commits that are not in the database's file yet.
    let log: FilePin?

    /// Opens the database, and brings it into its newest form.
    init(path: String) throws(DatabaseError) {
        database = try Database(path: path, lockWait: .milliseconds(500))
        // A file of another program stays unchanged.
        try Schema.check(database)
        // A change is answered once the disk has it; only the time of a first reading may come later.
        try database.run("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA trusted_schema = OFF")
        try Schema.migrate(database)
        begin = try database.prepare("BEGIN IMMEDIATE")
        end = try database.prepare("COMMIT")
        insertRequest = try database.prepare("INSERT INTO requests (number, record) VALUES (?, ?)")
        updateRequest = try database.prepare("UPDATE requests SET record = ? WHERE number = ?")
        deleteRequest = try database.prepare("DELETE FROM requests WHERE number = ?")
        restoreRequest = try database.prepare("INSERT OR REPLACE INTO requests (number, record) VALUES (?, ?)")
        // The table of one-time uses is called "proofs": the first digests in it were those of proofs of possession.
        insertUse = try database.prepare("INSERT INTO proofs (request, digest, until) VALUES (?, ?, ?)")
        // The end comes first, because the table's index is by the end.
        deleteUse = try database.prepare("DELETE FROM proofs WHERE until = ? AND request = ? AND digest = ?")
        deleteUses = try database.prepare("DELETE FROM proofs WHERE until <= ?")
        setRegistration = try database.prepare(
            "INSERT OR REPLACE INTO registrations (key, sealed, until) VALUES (?, ?, ?)")
        deleteRegistration = try database.prepare("DELETE FROM registrations WHERE key = ?")
        deleteRegistrations = try database.prepare("DELETE FROM registrations WHERE until <= ?")
        beat = try database.prepare("INSERT OR REPLACE INTO heartbeat (number, at) VALUES (1, ?)")
        log = try? FilePin(StoreFile(path: path).resolvedPath + "-wal", isLog: true)
    }

    // MARK: Reading everything

    /// Reads all requests, in the order in which they began.
    func requests(_ take: (Int64, [UInt8]) throws(DatabaseError) -> Void) throws(DatabaseError) {
        let statement = try database.prepare("SELECT number, record FROM requests ORDER BY number")
        while try statement.step() { try take(statement.number(0), statement.bytes(1)) }
    }

    func uses(_ take: (RequestID, ShortDigest, Timestamp) -> Void) throws(DatabaseError) {
        let statement = try database.prepare("SELECT request, digest, until FROM proofs")
        while try statement.step() {
            guard let id = RequestID(bytes: statement.bytes(0)[...]),
                let digest = ShortDigest(bytes: statement.bytes(1))
            else { continue }
            take(id, digest, Timestamp(milliseconds: statement.number(2)))
        }
    }

    /// Reads the registrations. Leaves out rows that are too large, and rows with a malformed key.
    func registrations(_ take: (ShortDigest, SealedRegistration) -> Void) throws(DatabaseError) {
        let statement = try database.prepare(
            "SELECT key, sealed, until FROM registrations WHERE length(sealed) <= \(SealedRegistration.maximumBytes) "
                + "ORDER BY until DESC LIMIT \(SealedRegistration.maximumCount)")
        while try statement.step() {
            guard let key = ShortDigest(bytes: statement.bytes(0)) else { continue }
            let until = Timestamp(milliseconds: statement.number(2))
            take(key, SealedRegistration(sealed: statement.bytes(1), until: until))
        }
    }

    // MARK: Writing

    /// Runs changes as one transaction, which is on the disk when this returns. After an error this connection sees no
    /// change. If only the last step failed, the next process that opens the database may still find the changes.
    func commit(_ changes: () throws(DatabaseError) -> Void) throws(DatabaseError) {
        try begin.run()
        do throws(DatabaseError) {
            try changes()
            try end.run()
        } catch {
            // Some errors have rolled back by themselves.
            if database.isInTransaction { try? database.run("ROLLBACK") }
            throw error
        }
    }

    func insert(_ record: [UInt8], number: Int64) throws(DatabaseError) {
        try insertRequest.bind(number, at: 1)
        try insertRequest.bind(record, at: 2)
        try insertRequest.run()
    }

    func update(_ record: [UInt8], number: Int64) throws(DatabaseError) {
        try updateRequest.bind(record, at: 1)
        try updateRequest.bind(number, at: 2)
        try updateRequest.run()
        try checkOneChanged()
    }

    func delete(number: Int64) throws(DatabaseError) {
        try deleteRequest.bind(number, at: 1)
        try deleteRequest.run()
        try checkOneChanged()
    }

    /// Writes a row as it should be, also if it exists already.
    /// - Parameter record: the row's content; nil removes the row.
    func restore(_ record: [UInt8]?, number: Int64) throws(DatabaseError) {
        guard let record else {
            try deleteRequest.bind(number, at: 1)
            return try deleteRequest.run()
        }
        try restoreRequest.bind(number, at: 1)
        try restoreRequest.bind(record, at: 2)
        try restoreRequest.run()
    }

    func insert(_ digest: ShortDigest, of id: RequestID, until: Timestamp) throws(DatabaseError) {
        try insertUse.bind(id.bytes, at: 1)
        try insertUse.bind(digest.bytes, at: 2)
        try insertUse.bind(until.milliseconds, at: 3)
        try insertUse.run()
    }

    func delete(_ digest: ShortDigest, of id: RequestID, until: Timestamp) throws(DatabaseError) {
        try deleteUse.bind(until.milliseconds, at: 1)
        try deleteUse.bind(id.bytes, at: 2)
        try deleteUse.bind(digest.bytes, at: 3)
        try deleteUse.run()
    }

    func deleteUses(until time: Timestamp) throws(DatabaseError) {
        try deleteUses.bind(time.milliseconds, at: 1)
        try deleteUses.run()
    }

    /// - Parameter registration: nil removes it.
    func set(_ registration: SealedRegistration?, at key: ShortDigest) throws(DatabaseError) {
        guard let registration else {
            try deleteRegistration.bind(key.bytes, at: 1)
            return try deleteRegistration.run()
        }
        try setRegistration.bind(key.bytes, at: 1)
        try setRegistration.bind(registration.sealed, at: 2)
        try setRegistration.bind(registration.until.milliseconds, at: 3)
        try setRegistration.run()
    }

    func deleteRegistrations(until time: Timestamp) throws(DatabaseError) {
        try deleteRegistrations.bind(time.milliseconds, at: 1)
        try deleteRegistrations.run()
    }

    /// Writes the time, to find out whether the disk takes changes again.
    func beat(at time: Timestamp) throws(DatabaseError) {
        try beat.bind(time.milliseconds, at: 1)
        try beat.run()
    }

    /// Copies the whole log into the database's file.
    func emptyLog() throws(DatabaseError) {
        guard try database.number("PRAGMA wal_checkpoint(TRUNCATE)") == 0 else {
            throw DatabaseError(code: SQLITE_BUSY, description: "its log was deleted, and cannot be brought in now")
        }
    }

    private func checkOneChanged() throws(DatabaseError) {
        guard database.changes == 1 else {
            throw DatabaseError(code: SQLITE_CORRUPT, description: "somebody else has changed the database")
        }
    }
}

extension RequestRecord {
    /// - Parameter number: the number of its row, for the error.
    init(_ packed: [UInt8], number: Int64) throws(DatabaseError) {
        do throws(PackedRecordError) {
            try self.init(packed: packed)
        } catch {
            switch error {
            case .newerVersion(let version):
                throw DatabaseError(
                    code: SQLITE_SCHEMA, description: "a newer version has written request \(number) (form \(version))")
            case .malformed:
                throw DatabaseError(code: SQLITE_CORRUPT, description: "request \(number) cannot be read")
            }
        }
    }
}

extension StoreError {
    /// Adds the remedy, where one is known.
    init(_ error: DatabaseError, at path: String) {
        self.init("\(path): \(error.withRemedy)")
    }
}

extension DatabaseError {
    /// The fault, with a remedy where one is known.
    var withRemedy: String {
        let remedy =
            switch code & 0xFF {
            case SQLITE_BUSY, SQLITE_LOCKED: "; another program holds it"
            case SQLITE_FULL: "; make room on the disk"
            case SQLITE_CORRUPT: "; restore it, or move it away to begin with an empty one"
            case SQLITE_NOTADB: "; name another file, or move it away to begin with an empty one"
            case SQLITE_READONLY: "; it, or its disk, is read-only"
            default: ""
            }
        return description + remedy
    }
}
