internal import SwitchyardPendingRequests

extension SQLiteStore {
    /// Looks through a database, which a gateway may be using: whether SQLite finds it whole, whether this program can read
    /// it, and every request in it.
    /// - Returns: what is wrong; empty when nothing is. And how many requests there are.
    public static func check(path: String) -> (problems: [String], requests: Int) {
        var problems: [String] = []
        var count = 0
        do throws(DatabaseError) {
            let database = try Database(path: path, isReadOnly: true, patience: .seconds(5))
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
                    _ = try StoreWriter.record(requests.bytes(1), requests.number(0))
                } catch {
                    problems.append(error.description)
                }
            }
        } catch {
            problems.append(error.description)
        }
        return (problems, count)
    }
}
