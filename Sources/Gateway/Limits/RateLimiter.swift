internal import Reactor
internal import Synchronization

/// A token bucket for each caller. Safe from any thread.
///
/// A bucket holds two seconds' worth, and at least one event: a burst such as several windows that sign in together
/// passes, a steady excess does not.
final class RateLimiter: Sendable {
    private struct Bucket {
        var tokens: Double
        var updated: Instant
    }

    private final class Shard: Sendable {
        let buckets = Mutex<[CallerKey: Bucket]>([:])
    }

    private let shards = (0..<16).map { _ in Shard() }
    private let rate: Double
    private let capacity: Double
    /// Buckets kept in a shard before full ones are thrown out.
    private static let maximumBuckets = 4096

    /// - Parameter rate: events a second; more than 0.
    init(rate: Double) {
        self.rate = rate
        capacity = max(1, rate * 2)
    }

    /// Takes one event of `caller`.
    /// - Returns: nil when it may pass; else the whole seconds after which it may be tried again.
    func take(_ caller: CallerKey, at now: Instant) -> Int? {
        shards[caller.shard % shards.count].buckets.withLock { buckets in
            var bucket = refilled(buckets[caller] ?? Bucket(tokens: capacity, updated: now), at: now)
            defer { buckets[caller] = bucket }
            if bucket.tokens >= 1 {
                bucket.tokens -= 1
                if buckets.count > Self.maximumBuckets { dropFull(&buckets, at: now) }
                return nil
            }
            return max(1, Int(((1 - bucket.tokens) / rate).rounded(.up)))
        }
    }

    /// Loops look at the clock at different moments, so `now` may be earlier than the bucket's last event: the same
    /// time must not be counted twice.
    private func refilled(_ bucket: Bucket, at now: Instant) -> Bucket {
        let now = max(bucket.updated, now)
        let seconds = Double(now.nanoseconds - bucket.updated.nanoseconds) / 1e9
        return Bucket(tokens: min(capacity, bucket.tokens + seconds * rate), updated: now)
    }

    /// A full bucket says nothing: the next event of its caller makes it anew.
    private func dropFull(_ buckets: inout [CallerKey: Bucket], at now: Instant) {
        buckets = buckets.filter { refilled($0.value, at: now).tokens < capacity }
    }
}
