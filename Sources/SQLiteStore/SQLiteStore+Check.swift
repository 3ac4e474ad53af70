internal import Glibc
internal import SwitchyardCSQLite
internal import SwitchyardFiles
internal import SwitchyardPendingRequests

extension SQLiteStore {
    /// Checks a database, which a gateway may be using: whether SQLite finds it intact, and whether this program can read
    /// it and each of its requests.
    /// - Returns: the faults, and the number of requests; nil for a missing file in a folder where a gateway can make
    ///   one.
    public static func check(path: String) -> (problems: [String], requests: Int)? {
        if FilePath.isMissing(path) {
            let folder = FilePath.folder(of: StoreFile(path: path).resolvedPath)
            return FilePath.exists(folder)
                ? nil : (["the folder \(folder) is not there; make it, for the gateway's user to write in"], 0)
        }
        var problems: [String] = []
        var count = 0
        do throws(DatabaseError) {
            let database = try Database(path: path, isReadOnly: true, lockWait: .seconds(5))
            try Schema.check(database)
            let integrity = try database.prepare("PRAGMA integrity_check")
            while try integrity.step() {
                if integrity.text(0) != "ok" { problems.append(integrity.text(0)) }
            }
            guard try database.number("PRAGMA user_version") > 0 else { return (problems, 0) }
            let requests = try database.prepare("SELECT number, record FROM requests ORDER BY number")
            while try requests.step() {
                count += 1
                do throws(DatabaseError) {
                    _ = try RequestRecord(requests.bytes(1), number: requests.number(0))
                } catch {
                    problems.append(error.description)
                }
            }
        } catch {
            problems.append(error.withRemedy)
        }
        return (problems, count)
    }
}

extension SQLiteStore {
    /// Tries to write into a database, and rolls the write back. For a missing file it tries the folder. A database that
    /// a gateway has open is busy, which is no fault.
    /// - Returns: the reason why a gateway could not write there; nil when it could.
    public static func tryWriting(path: String) -> String? {
        guard FilePath.exists(path) else { return tryFolder(of: path) }
        do throws(DatabaseError) {
            let database = try Database(path: path, lockWait: .seconds(2))
            try Schema.check(database)
            try database.run("BEGIN IMMEDIATE")
            try database.run("CREATE TABLE trial_of_doctor (nothing)")
            try database.run("ROLLBACK")
            return nil
        } catch {
            return error.code & 0xFF == SQLITE_BUSY ? nil : error.description
        }
    }

    private static func tryFolder(of path: String) -> String? {
        do throws(FileError) {
            let folder = try Folder(of: path)
            let trial = ".switchyard-trial-\(getpid())"
            try folder.create(trial, with: [])
            try folder.remove(trial)
            return nil
        } catch {
            return "no file can be made in \(FilePath.folder(of: path)): \(error.reason)"
        }
    }
}
