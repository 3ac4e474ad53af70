/// Gives out turns to connect: a few requests to each server connect at a time, the others wait in order. A request
/// that takes a kept connection gives its turn on at once.
///
/// libcurl uses a thread for each look-up of a name. The thread outlives a request that gave up, and a silent name
/// server holds it for long. Without a bound, a caller that causes many requests also causes as many threads.
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

        /// - Returns: the request that takes the free place; nil when it stays empty.
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

    /// Ends the turn of a request that has its connection, or has given up.
    /// - Returns: the next request in turn.
    mutating func end(to server: String) -> Waiting? {
        guard let next = lines[server]?.end() else {
            if lines[server]?.connecting == 0 { lines[server] = nil }
            return nil
        }
        return next
    }

    /// Removes a request from the line.
    mutating func leave(_ one: Waiting, to server: String) {
        lines[server]?.waiting.removeAll { $0 === one }
    }
}
