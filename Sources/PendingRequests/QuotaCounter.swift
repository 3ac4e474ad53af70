internal import Synchronization

/// Counts unfinished requests against a quota. Safe from any thread.
final class QuotaCounter: Sendable {
    private struct Counts {
        var total = 0
        var byApp: [String: Int] = [:]
        var byAddress: [String: Int] = [:]
    }

    private let counts = Mutex(Counts())

    var total: Int { counts.withLock { $0.total } }

    /// Counts one more, or says which limit is reached.
    func take(_ record: RequestRecord, quota: RequestQuota) throws(InsertionRefusal) {
        // Room that only authenticated callers get, so that a flood of anonymous ones cannot shut them out (rule 14).
        func share(_ limit: Int) -> Int { record.beginner.isAuthenticated ? limit : limit - limit / 10 }
        let refusal: InsertionRefusal? = counts.withLock { counts in
            if counts.total >= share(quota.total) { return .tooMany }
            // An app's callers authenticate all or none: none of them is to be kept from the others.
            if counts.byApp[record.app, default: 0] >= quota.perApp { return .tooManyForApp }
            if let address = record.beginner.addressKey {
                // One caller behind the address is not better than another: the whole limit is open to all.
                if counts.byAddress[address, default: 0] >= quota.perAddress { return .tooManyForAddress }
                counts.byAddress[address, default: 0] += 1
            }
            counts.byApp[record.app, default: 0] += 1
            counts.total += 1
            return nil
        }
        if let refusal { throw refusal }
    }

    func giveBack(_ record: RequestRecord) {
        counts.withLock { counts in
            counts.total -= 1
            Self.decrement(&counts.byApp, record.app)
            if let address = record.beginner.addressKey { Self.decrement(&counts.byAddress, address) }
        }
    }

    private static func decrement(_ counts: inout [String: Int], _ key: String) {
        guard let count = counts[key] else { return }
        counts[key] = count > 1 ? count - 1 : nil
    }
}
