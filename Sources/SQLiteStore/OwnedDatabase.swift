internal import SwitchyardPendingRequests
internal import SwitchyardReactor

/// The database of a store while this process owns it: the lock, the file that was read, and the connection. They are
/// taken in this order and given up in the reverse order, so a free lock means a free database. Belongs to the writer's
/// thread.
struct OwnedDatabase {
    /// The shortest time between a failure and the next opening.
    private static let pause = Duration.milliseconds(250)

    let file: StoreFile
    private var lock: StoreLock?
    /// The file that was read at the beginning; nil until then.
    private var pin: FilePin?
    private var connection: Connection?
    /// Why the database stays closed, and until when; nil for good.
    private var closed: (failure: StoreError, until: Instant?)?

    /// - Throws: ``SQLiteStoreError`` when another gateway has the file. Other faults may pass, so opening is tried
    ///   again.
    /// - Parameter warn: gets what other users could do with the file until now.
    init(path: String, warn: @escaping @Sendable (String) -> Void) throws(SQLiteStoreError) {
        file = StoreFile(path: path, warn: warn)
        do throws(StoreLockError) {
            lock = try StoreLock(for: path)
        } catch {
            if case .taken(let holder) = error {
                throw SQLiteStoreError(description: "\(path) is the store of another gateway: \(holder)")
            }
        }
    }

    /// The connection, opened anew if need be.
    /// - Parameter read: prepares a new connection. If it throws, the next call tries it again.
    mutating func opened(_ read: (Connection) throws(StoreError) -> Void) throws(StoreError) -> Connection {
        if let closed, closed.until == nil { throw closed.failure }
        try checkPlace()
        if let connection { return connection }
        if let closed, let until = closed.until, .now() < until { throw closed.failure }
        do throws(StoreError) {
            return try open(read)
        } catch {
            closed = (error, .now() + Self.pause)
            throw error
        }
    }

    /// Throws if the next start would not find the commits, because a file was moved, deleted or replaced.
    private mutating func checkPlace() throws(StoreError) {
        // If this throws, the connection stays: it has the committed changes, and the file may be put back.
        try pin?.check(mustLook: connection == nil)
        do throws(StoreError) {
            try connection?.log?.check()
        } catch {
            // The database, which is in its place, takes in the changes of the log, and a new log begins.
            do throws(DatabaseError) {
                try connection?.emptyLog()
                connection = nil
            } catch {
                throw StoreError(error, at: file.path)
            }
        }
    }

    private mutating func open(_ read: (Connection) throws(StoreError) -> Void) throws(StoreError) -> Connection {
        if lock == nil {
            do throws(StoreLockError) {
                lock = try StoreLock(for: file.path)
            } catch {
                switch error {
                case .taken(let holder): throw StoreError("\(file.path): it is the store of \(holder)")
                case .failed(let failure): throw failure
                }
            }
        }
        var pin = pin
        if pin == nil {
            try file.prepare()
            pin = try FilePin(file.path)
            try pin?.lock()
        }
        let opened: Connection
        do throws(DatabaseError) {
            opened = try Connection(path: file.path)
        } catch {
            throw StoreError(error, at: file.path)
        }
        try read(opened)
        (self.pin, connection) = (pin, opened)
        return opened
    }

    /// Closes the connection, because a fault of the file may be over when it is opened anew.
    mutating func close(after error: DatabaseError) -> StoreError {
        let failure = StoreError(error, at: file.path)
        connection = nil
        closed = (failure, .now() + Self.pause)
        return failure
    }

    /// Closes the files for good, so that another gateway can have them.
    mutating func giveUp() -> StoreError {
        let failure = StoreError("\(file.path): it was given to another gateway")
        closed = (failure, nil)
        // The connection first, because its locks end with the descriptor of the pin.
        connection = nil
        pin = nil
        lock = nil
        return failure
    }
}
