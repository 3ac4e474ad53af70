internal import Synchronization

/// Counts the memory of unfinished requests: TLS hellos, heads, contents. In total and by network. Safe from any
/// thread.
///
/// Whole requests are not counted, so they are served however many others have begun.
final class UnfinishedBytes: Sendable {
    private struct Counts {
        var maximum: Int
        var total = 0
        var byNetwork: [UInt128: Int] = [:]

        /// The limit of one network, so one network cannot take all.
        var maximumOfNetwork: Int { maximum / 3 }
    }

    private let counts: Mutex<Counts>

    init(maximum: Int) {
        counts = Mutex(Counts(maximum: maximum))
    }

    /// Sets the limit for later bytes.
    func adopt(maximum: Int) { counts.withLock { $0.maximum = maximum } }

    var total: Int { counts.withLock(\.total) }

    /// Changes the count of one connection.
    /// - Parameter network: nil for a peer with an uncounted network.
    /// - Returns: whether the new count is valid. A lower one always is, a higher one only within the limits.
    func change(from old: Int, to new: Int, of network: UInt128?) -> Bool {
        guard old != new else { return true }
        return counts.withLock { counts in
            let growth = new - old
            let share = network.map { (counts.byNetwork[$0] ?? 0) + growth } ?? 0
            if growth > 0 {
                guard counts.total + growth <= counts.maximum, share <= counts.maximumOfNetwork else { return false }
            }
            counts.total += growth
            if let network { counts.byNetwork[network] = share > 0 ? share : nil }
            return true
        }
    }
}
