internal import SwitchyardReactor
internal import Synchronization

/// A token bucket for each caller. Safe from any thread.
///
/// By default a bucket holds two seconds' worth, and at least one event. A burst such as several windows that sign in
/// together passes; a steady excess does not.
final class RateLimiter: Sendable {
    private struct Bucket {
        var tokens: Double
        var updated: Instant
    }

    private struct Buckets {
        var byKey: [CallerKey: Bucket] = [:]
        var nextCleaning = Instant(nanoseconds: 0)
    }

    private final class Shard: Sendable {
        let callers = Mutex(Buckets())
        /// Used while `callers` is full.
        let networks = Mutex(Buckets())
    }

    private enum Answer {
        case passes
        case comesAgain(seconds: Int)
        /// The caller has no bucket, and there is no room for another.
        case full
    }

    private let shards = (0..<16).map { _ in Shard() }
    private let rate: Double
    private let capacity: Double
    /// Buckets in a shard from which on full ones are thrown out, and that are never exceeded. So a limiter takes at
    /// most 13 MB.
    private static let (manyBuckets, maximumBuckets) = (2048, 4096)

    /// - Parameters:
    ///   - rate: events a second; more than 0.
    ///   - capacity: of a bucket, in events.
    init(rate: Double, capacity: Double? = nil) {
        self.rate = rate
        self.capacity = max(1, capacity ?? rate * 2)
    }

    /// Takes one event of `caller`.
    /// - Returns: nil when it may pass; else the whole seconds after which it may be tried again.
    func take(_ caller: CallerKey, at now: Instant) -> Int? {
        var answer = shard(caller).callers.withLock { take(caller, from: &$0, at: now) }
        if case .full = answer {
            // In a flood from more addresses than can be told apart, newcomers of one network share a bucket. So only the
            // networks that take part in the flood are held back (rules: a flood shuts nobody out).
            let network = caller.network
            answer = shard(network).networks.withLock { take(network, from: &$0, at: now) }
        }
        return switch answer {
        case .passes: nil
        case .comesAgain(let seconds): seconds
        // More than 65,000 networks at once. Other limits hold.
        case .full: nil
        }
    }

    /// Whether an event of `caller` would pass now. Takes nothing.
    func hasRoom(for caller: CallerKey, at now: Instant) -> Bool {
        shard(caller).callers.withLock { buckets in
            buckets.byKey[caller].map { refilled($0, at: now).tokens >= 1 } ?? true
        }
    }

    private func shard(_ key: CallerKey) -> Shard { shards[key.shard % shards.count] }

    private func take(_ key: CallerKey, from buckets: inout Buckets, at now: Instant) -> Answer {
        if buckets.byKey.count > Self.manyBuckets { clean(&buckets, at: now) }
        // By its index, so that a key that is known is looked for once.
        if let index = buckets.byKey.index(forKey: key) { return take(from: &buckets.byKey.values[index], at: now) }
        guard buckets.byKey.count < Self.maximumBuckets else { return .full }
        var bucket = Bucket(tokens: capacity, updated: now)
        defer { buckets.byKey[key] = bucket }
        return take(from: &bucket, at: now)
    }

    private func take(from bucket: inout Bucket, at now: Instant) -> Answer {
        bucket = refilled(bucket, at: now)
        guard bucket.tokens < 1 else {
            bucket.tokens -= 1
            return .passes
        }
        return .comesAgain(seconds: max(1, Int(((1 - bucket.tokens) / rate).rounded(.up))))
    }

    /// Loops look at the clock at different moments, so `now` may be earlier than the bucket's last event: the same
    /// time must not be counted twice.
    private func refilled(_ bucket: Bucket, at now: Instant) -> Bucket {
        let now = max(bucket.updated, now)
        let seconds = Double(now.nanoseconds - bucket.updated.nanoseconds) / 1e9
        return Bucket(tokens: min(capacity, bucket.tokens + seconds * rate), updated: now)
    }

    /// Removes full buckets: the next event of the caller makes the bucket anew. Runs once a second at the most, so
    /// that a flood from many addresses does not pay for it at every event.
    private func clean(_ buckets: inout Buckets, at now: Instant) {
        guard now >= buckets.nextCleaning else { return }
        buckets.nextCleaning = now + .seconds(1)
        buckets.byKey = buckets.byKey.filter { refilled($0.value, at: now).tokens < capacity }
    }
}
