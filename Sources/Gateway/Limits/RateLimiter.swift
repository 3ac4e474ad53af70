internal import SwitchyardReactor
internal import Synchronization

/// A token bucket for each caller. Safe from any thread.
///
/// A bucket holds two seconds' worth where nothing else is said, and at least one event: a burst such as several
/// windows that sign in together passes, a steady excess does not.
final class RateLimiter: Sendable {
    private struct Bucket {
        var tokens: Double
        var updated: Instant
    }

    private struct Buckets {
        var byCaller: [CallerKey: Bucket] = [:]
        var nextCleaning = Instant(nanoseconds: 0)
    }

    private final class Shard: Sendable {
        let buckets = Mutex(Buckets())
    }

    private let shards = (0..<16).map { _ in Shard() }
    private let rate: Double
    private let capacity: Double
    /// Buckets in a shard from which on full ones are thrown out, and that are never exceeded.
    private static let (manyBuckets, maximumBuckets) = (4096, 65536)

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
        shards[caller.shard % shards.count].buckets.withLock { buckets in
            if buckets.byCaller.count > Self.manyBuckets { clean(&buckets, at: now) }
            // By its place, so that a caller who is known is looked for once.
            if let place = buckets.byCaller.index(forKey: caller) {
                return take(from: &buckets.byCaller.values[place], at: now)
            }
            // A flood from more addresses than can be told apart is not a reason to turn a newcomer away (rules: a
            // flood shuts nobody out).
            guard buckets.byCaller.count < Self.maximumBuckets else { return nil }
            var bucket = Bucket(tokens: capacity, updated: now)
            defer { buckets.byCaller[caller] = bucket }
            return take(from: &bucket, at: now)
        }
    }

    private func take(from bucket: inout Bucket, at now: Instant) -> Int? {
        bucket = refilled(bucket, at: now)
        guard bucket.tokens < 1 else {
            bucket.tokens -= 1
            return nil
        }
        return max(1, Int(((1 - bucket.tokens) / rate).rounded(.up)))
    }

    /// Loops look at the clock at different moments, so `now` may be earlier than the bucket's last event: the same
    /// time must not be counted twice.
    private func refilled(_ bucket: Bucket, at now: Instant) -> Bucket {
        let now = max(bucket.updated, now)
        let seconds = Double(now.nanoseconds - bucket.updated.nanoseconds) / 1e9
        return Bucket(tokens: min(capacity, bucket.tokens + seconds * rate), updated: now)
    }

    /// A full bucket says nothing: the next event of its caller makes it anew. Looked for once a second at the most,
    /// so that a flood from many addresses does not pay for it at every event.
    private func clean(_ buckets: inout Buckets, at now: Instant) {
        guard now >= buckets.nextCleaning else { return }
        buckets.nextCleaning = now + .seconds(1)
        buckets.byCaller = buckets.byCaller.filter { refilled($0.value, at: now).tokens < capacity }
    }
}
