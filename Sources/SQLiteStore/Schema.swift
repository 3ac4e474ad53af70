internal import SwitchyardCSQLite
internal import SwitchyardCrypto
internal import SwitchyardPendingRequests

/// The tables of the database. The program knows every form that there ever was, and brings each to the last one.
///
/// A request is one row. Rows are numbered in the order of their beginning, so rows that change together lie together.
/// Finding a row needs no index, since the gateway knows its number.
enum Schema {
    /// "SyRq", so that no other program's file is taken for ours.
    private static let application: Int64 = 0x5379_5271

    /// The steps from each version to the next.
    private static let steps = [
        """
        CREATE TABLE requests (number INTEGER PRIMARY KEY, record BLOB NOT NULL) STRICT;
        CREATE TABLE proofs (
            number INTEGER PRIMARY KEY, request BLOB NOT NULL, digest BLOB NOT NULL, until INTEGER NOT NULL) STRICT;
        CREATE INDEX proofs_until ON proofs (until);
        CREATE TABLE heartbeat (number INTEGER PRIMARY KEY, at INTEGER NOT NULL) STRICT;
        """,
        "CREATE TABLE registrations (key BLOB PRIMARY KEY, sealed BLOB NOT NULL, until INTEGER NOT NULL) STRICT;",
    ]

    static var version: Int64 { Int64(steps.count) }

    /// Brings the tables into their newest form.
    /// - Parameter database: a database that ``check(_:)`` has accepted.
    static func migrate(_ database: Database) throws(DatabaseError) {
        let version = try database.number("PRAGMA user_version")
        for (index, step) in steps.enumerated().dropFirst(Int(version)) {
            try database.run(
                """
                BEGIN IMMEDIATE;
                \(step)
                PRAGMA application_id = \(application);
                PRAGMA user_version = \(index + 1);
                COMMIT;
                """)
        }
    }

    /// Throws unless this program can read the database.
    static func check(_ database: Database) throws(DatabaseError) {
        let version = try database.number("PRAGMA user_version")
        let application = try database.number("PRAGMA application_id")
        let tables = try database.number("SELECT count(*) FROM sqlite_schema")
        guard application == Self.application || (application == 0 && version == 0 && tables == 0) else {
            throw DatabaseError(code: SQLITE_NOTADB, description: "it is another program's database")
        }
        guard version >= 0 else {
            throw DatabaseError(code: SQLITE_CORRUPT, description: "its form is no number of ours (\(version))")
        }
        guard version <= Self.version else {
            throw DatabaseError(
                code: SQLITE_SCHEMA,
                description: "a newer version has written it (form \(version); this one knows \(Self.version))")
        }
    }
}
