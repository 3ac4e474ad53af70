package import SwitchyardRouting
internal import Synchronization

/// Counts requests and their bytes against a quota. Safe from any thread; apps and addresses have many small locks, so that loops
/// on different cores hardly ever meet.
package final class QuotaCounter: Sendable {
    /// The amounts that one record adds to the counts.
    package struct Entry: Sendable {
        let isUnfinished: Bool
        /// The phase of an unfinished request with a callback; nil for all other requests.
        let stage: Stage?
        let app: UInt64
        /// nil for a beginner without a known address.
        let address: UInt64?
        /// nil for a beginner that has no network.
        let network: UInt64?
        let bytes: Int
        /// Whether its beginner may use the part of a limit that is reserved for callers that authenticate.
        let isAuthenticated: Bool

        package init(_ record: RequestRecord, packed: Int) {
            isUnfinished = !record.isFinished
            stage =
                switch record.phase {
                case .pending, .finished: nil
                case .claimed: .claimed
                case .releaseRequired: .releaseRequired
                case .redeeming: .redeeming
                }
            // Digests with a key of this process, so that an attacker cannot make two addresses count as one.
            app = UInt64(bitPattern: Int64(record.app.hashValue))
            address = record.beginner.callerKey.map { UInt64(bitPattern: Int64($0.hashValue)) }
            network = record.beginner.network.map(Self.digest(ofNetwork:))
            bytes = CountedBytes.of(record, packed: packed)
            isAuthenticated = record.beginner.isAuthenticated
        }

        /// The digest of a network. It differs from that of an address with the same text.
        private static func digest(ofNetwork network: String) -> UInt64 {
            var hasher = Hasher()
            hasher.combine(UInt8(ascii: "/"))
            hasher.combine(network)
            return UInt64(bitPattern: Int64(hasher.finalize()))
        }

        func part(ofTotalLimit limit: Int) -> Int {
            RequestQuota.part(ofTotalLimit: limit, isAuthenticated: isAuthenticated)
        }

        func part(ofNetworkLimit limit: Int) -> Int {
            RequestQuota.part(ofNetworkLimit: limit, isAuthenticated: isAuthenticated)
        }
    }

    enum Stage {
        case claimed
        case releaseRequired
        case redeeming
    }

    private struct Count {
        var unfinished = 0
        var bytes = 0

        var isNothing: Bool { unfinished == 0 && bytes == 0 }

        /// - Parameter sign: 1 to count, −1 to give back.
        mutating func add(_ entry: Entry, _ sign: Int) {
            unfinished += entry.isUnfinished ? sign : 0
            bytes += sign * entry.bytes
        }
    }

    private final class Shard: Sendable {
        let apps = Mutex<[UInt64: Int]>([:])
        /// By address and by network.
        let callers = Mutex<[UInt64: Count]>([:])
    }

    private let shards = (0..<16).map { _ in Shard() }
    private let unfinished = Atomic(0)
    private let bytes = Atomic(0)
    private let requests = Atomic(0)
    private let claimed = Atomic(0)
    private let releaseRequired = Atomic(0)
    private let redeeming = Atomic(0)

    /// Whether a request of the app is unfinished.
    package func hasUnfinished(_ app: AppID) -> Bool {
        let app = UInt64(bitPattern: Int64(app.hashValue))
        return shard(app).apps.withLock { ($0[app] ?? 0) > 0 }
    }

    package var usage: StoreUsage {
        let all = unfinished.load(ordering: .relaxed)
        var phases = StoreUsage.Phases(
            pending: 0, claimed: claimed.load(ordering: .relaxed),
            releaseRequired: releaseRequired.load(ordering: .relaxed), redeeming: redeeming.load(ordering: .relaxed))
        // The counts are read one after the other, while they change.
        phases.pending = max(0, all - phases.claimed - phases.releaseRequired - phases.redeeming)
        return StoreUsage(
            pending: all, requests: requests.load(ordering: .relaxed), bytes: bytes.load(ordering: .relaxed),
            phases: phases)
    }

    /// Counts a new record, or throws the limit that has no room for it.
    package func take(_ entry: Entry, within quota: RequestQuota) throws(InsertionRefusal) {
        guard Self.add(1, to: unfinished, upTo: entry.part(ofTotalLimit: quota.total)) else { throw .tooMany }
        guard Self.add(entry.bytes, to: bytes, upTo: entry.part(ofTotalLimit: quota.bytes)) else {
            unfinished.subtract(1, ordering: .relaxed)
            throw .tooManyBytes
        }
        do throws(InsertionRefusal) {
            try takeForApp(entry, quota)
        } catch {
            unfinished.subtract(1, ordering: .relaxed)
            bytes.subtract(entry.bytes, ordering: .relaxed)
            throw error
        }
        requests.add(1, ordering: .relaxed)
    }

    /// Returns the limit that has no room for a step; nil if there is enough room. Does not count the step.
    package func shortage(for new: Entry, after old: Entry, within quota: RequestQuota) -> InsertionRefusal? {
        let growth = new.bytes - old.bytes
        guard growth > 0 else { return nil }
        if let address = new.address, bytes(of: address) + growth > quota.bytesPerAddress {
            return .tooManyBytesForAddress
        }
        if let network = new.network, bytes(of: network) + growth > new.part(ofNetworkLimit: quota.bytesPerNetwork) {
            return .tooManyBytesForNetwork
        }
        return bytes.load(ordering: .relaxed) + growth > new.part(ofTotalLimit: quota.bytes) ? .tooManyBytes : nil
    }

    /// Moves the counts from a record to the one that replaces it.
    /// - Parameters:
    ///   - old: nil for a new record.
    ///   - new: nil for a removed record.
    package func move(from old: Entry?, to new: Entry?) {
        bytes.add((new?.bytes ?? 0) - (old?.bytes ?? 0), ordering: .relaxed)
        requests.add((new == nil ? 0 : 1) - (old == nil ? 0 : 1), ordering: .relaxed)
        if old?.stage != new?.stage {
            count(old?.stage, -1)
            count(new?.stage, 1)
        }
        if let old { count(old, -1) }
        if let new { count(new, 1) }
    }

    private func count(_ stage: Stage?, _ sign: Int) {
        switch stage {
        case nil: break
        case .claimed: claimed.add(sign, ordering: .relaxed)
        case .releaseRequired: releaseRequired.add(sign, ordering: .relaxed)
        case .redeeming: redeeming.add(sign, ordering: .relaxed)
        }
    }

    private func count(_ entry: Entry, _ sign: Int) {
        if entry.isUnfinished {
            unfinished.add(sign, ordering: .relaxed)
            shard(entry.app).apps.withLock { apps in
                let count = apps[entry.app, default: 0] + sign
                apps[entry.app] = count == 0 ? nil : count
            }
        }
        for caller in [entry.address, entry.network] {
            if let caller { count(entry, sign, of: caller) }
        }
    }

    private func count(_ entry: Entry, _ sign: Int, of caller: UInt64) {
        shard(caller).callers.withLock { callers in
            var count = callers[caller] ?? Count()
            count.add(entry, sign)
            callers[caller] = count.isNothing ? nil : count
        }
    }

    private func bytes(of caller: UInt64) -> Int { shard(caller).callers.withLock { $0[caller]?.bytes ?? 0 } }

    /// Counts a new record of an address or a network, unless one of its limits has no room.
    /// - Returns: the refusal that belongs to the limit; nil if the record was counted.
    private func take(
        _ entry: Entry, of caller: UInt64, most: Int, mostBytes: Int, _ tooMany: InsertionRefusal,
        _ tooManyBytes: InsertionRefusal
    ) -> InsertionRefusal? {
        shard(caller).callers.withLock { callers in
            var count = callers[caller] ?? Count()
            if count.unfinished >= most { return tooMany }
            if count.bytes + entry.bytes > mostBytes { return tooManyBytes }
            count.add(entry, 1)
            callers[caller] = count
            return nil
        }
    }

    /// Counts a new record of an app. Either all or none of an app's callers authenticate, and callers behind one address
    /// are equal. So all of them may use the whole limit.
    private func takeForApp(_ entry: Entry, _ quota: RequestQuota) throws(InsertionRefusal) {
        let isAppFull = shard(entry.app).apps.withLock { apps in
            guard apps[entry.app, default: 0] < quota.perApp else { return true }
            apps[entry.app, default: 0] += 1
            return false
        }
        if isAppFull { throw .tooManyForApp }
        guard let refusal = takeForCaller(entry, quota) else { return }
        shard(entry.app).apps.withLock { apps in
            let count = apps[entry.app, default: 0] - 1
            apps[entry.app] = count == 0 ? nil : count
        }
        throw refusal
    }

    private func takeForCaller(_ entry: Entry, _ quota: RequestQuota) -> InsertionRefusal? {
        guard let address = entry.address else { return nil }
        if let refusal = take(
            entry, of: address, most: quota.perAddress, mostBytes: quota.bytesPerAddress, .tooManyForAddress,
            .tooManyBytesForAddress)
        {
            return refusal
        }
        guard let network = entry.network else { return nil }
        let refusal = take(
            entry, of: network, most: entry.part(ofNetworkLimit: quota.perNetwork),
            mostBytes: entry.part(ofNetworkLimit: quota.bytesPerNetwork), .tooManyForNetwork,
            .tooManyBytesForNetwork)
        if refusal != nil { count(entry, -1, of: address) }
        return refusal
    }

    private func shard(_ key: UInt64) -> Shard { shards[Int(key % UInt64(shards.count))] }

    private static func add(_ amount: Int, to counter: borrowing Atomic<Int>, upTo limit: Int) -> Bool {
        if counter.add(amount, ordering: .relaxed).newValue <= limit { return true }
        counter.subtract(amount, ordering: .relaxed)
        return false
    }
}
