internal import SwitchyardCSQLite

/// The reason why SQLite failed.
struct DatabaseError: Error, CustomStringConvertible {
    /// SQLite's extended result code.
    let code: Int32
    let description: String
}

/// One connection to a database. Only for one thread at a time.
@safe final class Database {
    private let handle: OpaquePointer

    /// - Parameters:
    ///   - path: the path of an existing file.
    ///   - lockWait: the time to wait for a lock of another process.
    init(path: String, isReadOnly: Bool = false, lockWait: Duration) throws(DatabaseError) {
        var opened: OpaquePointer?
        let mode = isReadOnly ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE
        let code = unsafe sqlite3_open_v2(path, &opened, mode | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nil)
        guard let handle = unsafe opened else { throw DatabaseError(code: code, description: "out of memory") }
        unsafe self.handle = handle
        // The object is whole from here on, so its end closes the handle.
        guard code == SQLITE_OK else { throw error(code) }
        unsafe sqlite3_busy_timeout(handle, Int32(lockWait / .milliseconds(1)))
    }

    deinit { unsafe sqlite3_close_v2(handle) }

    func run(_ sql: String) throws(DatabaseError) {
        let code = unsafe sqlite3_exec(handle, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw error(code) }
    }

    func prepare(_ sql: String) throws(DatabaseError) -> Statement {
        var prepared: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK, let statement = unsafe prepared else { throw error(code) }
        return unsafe Statement(statement, of: self)
    }

    /// The number in the first column of the first row.
    func number(_ sql: String) throws(DatabaseError) -> Int64 {
        let statement = try prepare(sql)
        return try statement.step() ? statement.number(0) : 0
    }

    /// The number of rows that the last statement changed.
    var changes: Int { Int(unsafe sqlite3_changes(handle)) }

    var isInTransaction: Bool { unsafe sqlite3_get_autocommit(handle) == 0 }

    fileprivate func error(_ code: Int32) -> DatabaseError {
        let words = unsafe sqlite3_errmsg(handle).map { unsafe String(cString: $0) } ?? ""
        return DatabaseError(code: code, description: words)
    }
}

/// A prepared statement. Only for one thread at a time.
@safe final class Statement {
    private let handle: OpaquePointer
    private let database: Database

    fileprivate init(_ handle: OpaquePointer, of database: Database) {
        unsafe self.handle = handle
        self.database = database
    }

    deinit { unsafe sqlite3_finalize(handle) }

    func bind(_ number: Int64, at index: Int) throws(DatabaseError) {
        try check(unsafe sqlite3_bind_int64(handle, Int32(index), number))
    }

    func bind(_ bytes: [UInt8], at index: Int) throws(DatabaseError) {
        let code = unsafe bytes.withUnsafeBytes { bytes in
            unsafe sy_sqlite_bind_bytes(handle, Int32(index), bytes.baseAddress, bytes.count)
        }
        try check(code)
    }

    /// - Returns: whether there is a row.
    func step() throws(DatabaseError) -> Bool {
        let code = unsafe sqlite3_step(handle)
        switch code {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        default:
            let error = database.error(code)
            reset()
            throw error
        }
    }

    /// Runs a statement that has no rows, and makes it ready for the next time.
    func run() throws(DatabaseError) {
        _ = try step()
        reset()
    }

    func reset() { unsafe sqlite3_reset(handle) }

    func number(_ column: Int) -> Int64 { unsafe sqlite3_column_int64(handle, Int32(column)) }

    func bytes(_ column: Int) -> [UInt8] {
        let count = Int(unsafe sqlite3_column_bytes(handle, Int32(column)))
        guard count > 0, let start = unsafe sqlite3_column_blob(handle, Int32(column)) else { return [] }
        return unsafe Array(UnsafeRawBufferPointer(start: start, count: count))
    }

    func text(_ column: Int) -> String { String(decoding: bytes(column), as: UTF8.self) }

    private func check(_ code: Int32) throws(DatabaseError) {
        guard code == SQLITE_OK else { throw database.error(code) }
    }
}
