/// Whose turn it is to make a connection: to each server a few requests at a time, the others in their order. One that
/// takes a kept connection gives its turn on at once.
///
/// Each look-up of a name has a thread of libcurl's, which stays behind when the request gives up, and a name server that
/// does not answer is given up on late. Without a bound whoever can have requests made makes as many threads.
struct ConnectTurns<Waiting: AnyObject> {
    /// Enough for hundreds of new connections a second over a long way; those that are made are kept.
    static var mostForServer: Int { 16 }

    private struct Line {
        var connecting = 0
        var waiting: [Waiting] = []

        mutating func take(_ one: Waiting) -> Bool {
            guard connecting < ConnectTurns.mostForServer else {
                waiting.append(one)
                return false
            }
            connecting += 1
            return true
        }

        /// - Returns: who takes the place; nil when it stays empty.
        mutating func end() -> Waiting? {
            guard waiting.isEmpty else { return waiting.removeFirst() }
            connecting -= 1
            return nil
        }
    }

    private var lines: [String: Line] = [:]

    /// - Returns: whether it is the turn of this one now. If not it waits in line.
    mutating func take(_ one: Waiting, to server: String) -> Bool {
        lines[server, default: Line()].take(one)
    }

    /// One whose turn it was has its connection, or has given up.
    /// - Returns: whose turn it is now.
    mutating func end(to server: String) -> Waiting? {
        guard let next = lines[server]?.end() else {
            if lines[server]?.connecting == 0 { lines[server] = nil }
            return nil
        }
        return next
    }

    /// One that waits in line no longer does.
    mutating func leave(_ one: Waiting, to server: String) {
        lines[server]?.waiting.removeAll { $0 === one }
    }
}
