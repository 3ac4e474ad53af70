internal import Synchronization

/// Counts what is kept against a quota. Safe from any thread; apps and addresses have many small locks, so that loops on
/// different cores hardly ever meet.
final class QuotaCounter: Sendable {
    /// What one record counts.
    struct Share {
        let isUnfinished: Bool
        let app: UInt64
        /// nil for nobody's.
        let address: UInt64?
        let bytes: Int

        init(_ record: RequestRecord, packed: Int) {
            isUnfinished = !record.isFinished
            // Digests with a key of this process: nobody can make two addresses count as one.
            app = UInt64(bitPattern: Int64(record.app.hashValue))
            address = record.beginner.addressKey.map { UInt64(bitPattern: Int64($0.hashValue)) }
            bytes = KeptBytes.of(record, packed: packed)
        }
    }

    private struct Count {
        var unfinished = 0
        var bytes = 0
    }

    private final class Shard: Sendable {
        let apps = Mutex<[UInt64: Int]>([:])
        let addresses = Mutex<[UInt64: Count]>([:])
    }

    private let shards = (0..<16).map { _ in Shard() }
    private let unfinished = Atomic(0)
    private let bytes = Atomic(0)
    private let kept = Atomic(0)

    var usage: StoreUsage {
        StoreUsage(
            pending: unfinished.load(ordering: .relaxed), kept: kept.load(ordering: .relaxed),
            bytes: bytes.load(ordering: .relaxed))
    }

    /// Counts one more, or says which limit is reached.
    func take(_ share: Share, isAuthenticated: Bool, within quota: RequestQuota) throws(InsertionRefusal) {
        // Room that only authenticated callers get, so that a flood of anonymous ones cannot shut them out.
        func part(_ limit: Int) -> Int { isAuthenticated ? limit : limit - limit / 10 }
        guard Self.add(1, to: unfinished, upTo: part(quota.total)) else { throw .tooMany }
        guard Self.add(share.bytes, to: bytes, upTo: part(quota.bytes)) else {
            unfinished.subtract(1, ordering: .relaxed)
            throw .tooManyBytes
        }
        do throws(InsertionRefusal) {
            try takeForApp(share, quota)
        } catch {
            unfinished.subtract(1, ordering: .relaxed)
            bytes.subtract(share.bytes, ordering: .relaxed)
            throw error
        }
        kept.add(1, ordering: .relaxed)
    }

    /// Room for a step that asks for it; nothing is counted yet.
    func hasRoom(for growth: Int, within quota: RequestQuota) -> Bool {
        growth <= 0 || bytes.load(ordering: .relaxed) + growth <= quota.bytes
    }

    /// A record has become another.
    func change(from old: Share, to new: Share) {
        bytes.add(new.bytes - old.bytes, ordering: .relaxed)
        if old.isUnfinished, !new.isUnfinished {
            unfinished.subtract(1, ordering: .relaxed)
            shard(old.app).apps.withLock { Self.decrement(&$0, old.app) }
        }
        guard let address = old.address else { return }
        shard(address).addresses.withLock { addresses in
            guard var count = addresses[address] else { return }
            if old.isUnfinished, !new.isUnfinished { count.unfinished -= 1 }
            count.bytes += (new.address == nil ? 0 : new.bytes) - old.bytes
            addresses[address] = count.bytes > 0 ? count : nil
        }
    }

    /// A record is gone.
    func giveBack(_ share: Share) {
        let nothing = Share(of: share)
        change(from: share, to: nothing)
        kept.subtract(1, ordering: .relaxed)
    }

    /// An app's callers authenticate all or none, and one caller behind an address is not better than another: the whole
    /// limit is open to all of them.
    private func takeForApp(_ share: Share, _ quota: RequestQuota) throws(InsertionRefusal) {
        let isAppFull = shard(share.app).apps.withLock { apps in
            guard apps[share.app, default: 0] < quota.perApp else { return true }
            apps[share.app, default: 0] += 1
            return false
        }
        if isAppFull { throw .tooManyForApp }
        guard let address = share.address else { return }
        let refusal: InsertionRefusal? = shard(address).addresses.withLock { addresses in
            var count = addresses[address] ?? Count()
            if count.unfinished >= quota.perAddress { return .tooManyForAddress }
            if count.bytes + share.bytes > quota.bytesPerAddress { return .tooManyBytesForAddress }
            count.unfinished += 1
            count.bytes += share.bytes
            addresses[address] = count
            return nil
        }
        guard let refusal else { return }
        shard(share.app).apps.withLock { Self.decrement(&$0, share.app) }
        throw refusal
    }

    private func shard(_ key: UInt64) -> Shard { shards[Int(key % UInt64(shards.count))] }

    private static func add(_ amount: Int, to counter: borrowing Atomic<Int>, upTo limit: Int) -> Bool {
        if counter.add(amount, ordering: .relaxed).newValue <= limit { return true }
        counter.subtract(amount, ordering: .relaxed)
        return false
    }

    private static func decrement(_ counts: inout [UInt64: Int], _ key: UInt64) {
        guard let count = counts[key] else { return }
        counts[key] = count > 1 ? count - 1 : nil
    }
}

extension QuotaCounter.Share {
    /// Nothing, in the place of what was.
    fileprivate init(of old: QuotaCounter.Share) {
        isUnfinished = false
        app = old.app
        address = nil
        bytes = 0
    }
}
