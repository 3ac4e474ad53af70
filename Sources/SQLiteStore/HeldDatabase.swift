internal import Glibc
internal import SwitchyardPendingRequests
internal import SwitchyardReactor

/// The database of a store as this process has it: the lock that says so, the file that was read, and the connection to it.
/// They are taken in this order and let go in the reverse one: whoever finds the lock free finds the database let go.
/// Belongs to the writer's thread.
struct HeldDatabase {
    /// After a failure, how soon the database is opened anew at the earliest.
    private static let pause = Duration.milliseconds(250)

    let file: StoreFile
    private var lock: StoreLock?
    /// What was read at the beginning, and no other; nil until then.
    private var pin: FilePin?
    private var connection: Connection?
    /// Why it is not opened for now, and until when; for good where there is no time.
    private var closed: (failure: StoreFailure, until: Instant?)?

    /// - Throws: ``SQLiteStoreError`` when another gateway has the file. What else is wrong may be over soon: it is tried again.
    init(path: String) throws(SQLiteStoreError) {
        file = StoreFile(path: path)
        do throws(StoreLockFailure) {
            lock = try StoreLock(for: path)
        } catch {
            if case .held(let holder) = error {
                throw SQLiteStoreError(description: "\(path) is the store of another gateway: \(holder)")
            }
        }
    }

    /// The connection, opened anew if need be.
    /// - Parameter read: what is to be done with a connection that is new. Where it throws, the next call tries it again.
    mutating func opened(_ read: (Connection) throws(StoreFailure) -> Void) throws(StoreFailure) -> Connection {
        if let closed, closed.until == nil { throw closed.failure }
        try checkPlace()
        if let connection { return connection }
        if let closed, let until = closed.until, .now() < until { throw closed.failure }
        do throws(StoreFailure) {
            return try open(read)
        } catch {
            closed = (error, .now() + Self.pause)
            throw error
        }
    }

    /// Whether what is committed goes to the files that the next start reads.
    private mutating func checkPlace() throws(StoreFailure) {
        // Where this throws, the connection stays: it has what was committed, and the file may be put back.
        try pin?.check(mustLook: connection == nil)
        do throws(StoreFailure) {
            try connection?.log?.check()
        } catch {
            // What stands in the log alone is brought into the database, which is in its place, and a new log is begun.
            do throws(DatabaseError) {
                try connection?.emptyLog()
                connection = nil
            } catch {
                throw StoreFailure(error, at: file.path)
            }
        }
    }

    private mutating func open(_ read: (Connection) throws(StoreFailure) -> Void) throws(StoreFailure) -> Connection {
        if lock == nil {
            do throws(StoreLockFailure) {
                lock = try StoreLock(for: file.path)
            } catch {
                switch error {
                case .held(let holder): throw StoreFailure("\(file.path): it is the store of \(holder)")
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
            throw StoreFailure(error, at: file.path)
        }
        try read(opened)
        (self.pin, connection) = (pin, opened)
        return opened
    }

    /// Closes the connection: whatever was wrong with the file may be over when it is opened anew.
    mutating func close(after error: DatabaseError) -> StoreFailure {
        let failure = StoreFailure(error, at: file.path)
        connection = nil
        closed = (failure, .now() + Self.pause)
        return failure
    }

    /// Lets go of everything, for good.
    mutating func giveUp() -> StoreFailure {
        let failure = StoreFailure("\(file.path): it was given to another gateway")
        closed = (failure, nil)
        // Its locks would end with the descriptor of the pin.
        connection = nil
        pin = nil
        lock = nil
        return failure
    }
}

/// Notices when a file is deleted, moved or replaced while the store uses it: SQLite would go on writing into a file
/// that has no name any more, and all that it took in would end with the process.
///
/// Closing any descriptor of a database ends the process's locks on it, so the one of a database lives
/// as long as the store. Belongs to the writer's thread.
final class FilePin {
    /// What a file does not know of itself, that its folder was moved or a link to it was changed, is noticed so soon; of a
    /// log also that it was moved.
    private static let interval = Duration.seconds(1)

    private let file: StoreFile
    /// Keeps the kernel from giving the file's number to another.
    private let descriptor: Int32
    private let device: dev_t
    private let number: ino_t
    private let isLog: Bool
    /// Until when the name need not be looked up, unless the file was touched since it last was.
    private var rest = Instant(nanoseconds: 0)
    private var touched = timespec()

    /// - Parameters:
    ///   - path: of a file that is there.
    ///   - isLog: whether each transaction writes to it.
    init(_ path: String, isLog: Bool = false) throws(StoreFailure) {
        self.isLog = isLog
        file = StoreFile(path: path)
        var status = stat()
        descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        // Before anything else changes `errno`.
        let obstacle = descriptor < 0 ? file.failure("cannot be opened") : nil
        let code = unsafe fstat(descriptor, &status)
        (device, number) = (status.st_dev, status.st_ino)
        if let obstacle { throw obstacle }
        guard code == 0 else { throw file.failure("cannot be looked at") }
    }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// Takes the file for this process, as long as this object lives. The lock beside it says who has
    /// it, but can be deleted.
    func lock() throws(StoreFailure) {
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw errno == EWOULDBLOCK
                ? StoreFailure("\(file.path): another gateway uses it") : file.failure("cannot be locked")
        }
    }

    /// Whether the name still means the file.
    ///
    /// It is not looked up for each transaction: the file itself says whether it has lost a name, and when it was last
    /// written or renamed, which of a log says nothing.
    /// - Parameter mustLook: for who is about to open the file by its name.
    func check(mustLook: Bool = false) throws(StoreFailure) {
        var status = stat()
        let now = Instant.now()
        let isThere = unsafe fstat(descriptor, &status) == 0 && status.st_nlink > 0
        let change = status.st_ctim
        let isTouched = !isLog && (change.tv_sec != touched.tv_sec || change.tv_nsec != touched.tv_nsec)
        if isThere, now < rest, !isTouched, !mustLook { return }
        try look()
        (rest, touched) = (now + Self.interval, change)
    }

    private func look() throws(StoreFailure) {
        var status = stat()
        guard unsafe stat(file.path, &status) == 0 else {
            guard errno == ENOENT else { throw file.failure("cannot be looked at") }
            throw StoreFailure("\(file.path): it was deleted or moved away while it was in use; put it back")
        }
        guard status.st_dev == device, status.st_ino == number else {
            throw StoreFailure(
                "\(file.path): another file stands in its place; put the former one back, or restart the gateway"
            )
        }
    }
}

/// Says that the store is this process's, for as long as it lives. A gateway knows all of its requests, so no
/// second one may change them.
final class StoreLock: Sendable {
    private let descriptor: Int32

    /// - Parameter path: of the database; the lock is beside it, and beside the file itself where the path is a link.
    /// - Throws: ``StoreLockFailure``.
    init(for path: String) throws(StoreLockFailure) {
        let path = StoreFile(path: path).resolvedPath + ".lock"
        let opened = unsafe open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard opened >= 0 else { throw .failed(StoreFile(path: path).failure("cannot be opened")) }
        // The object is whole from here on, so its end closes the file, also when this throws. Closing it here as well
        // would close what another thread has opened meanwhile under the same number.
        descriptor = opened
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            guard errno == EWOULDBLOCK else { throw .failed(StoreFile(path: path).failure("cannot be locked")) }
            throw .held(by: Self.read(descriptor))
        }
        var name = utsname()
        unsafe uname(&name)
        let host = unsafe withUnsafeBytes(of: &name.nodename) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        let text = Array("process \(getpid()) on \(host)\n".utf8)
        // Only for people; the lock itself is the kernel's.
        ftruncate(descriptor, 0)
        _ = unsafe text.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, 0) }
    }

    deinit { close(descriptor) }

    private static func read(_ descriptor: Int32) -> String {
        var bytes = [UInt8](repeating: 0, count: 300)
        let count = unsafe pread(descriptor, &bytes, bytes.count, 0)
        let line = bytes.prefix(max(0, count)).prefix { $0 >= 0x20 && $0 < 0x7F }
        return line.isEmpty ? "another process" : String(decoding: line, as: UTF8.self)
    }
}

enum StoreLockFailure: Error {
    case held(by: String)
    case failed(StoreFailure)
}
