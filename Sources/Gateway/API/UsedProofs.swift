internal import SwitchyardCrypto
internal import SwitchyardReactor
internal import Synchronization

/// Remembers which proofs of possession were used, for as long as they would be good (RFC 9449 section 11.1). Safe from
/// any thread.
///
/// Only who holds a result token and its key gets here, and at the rate that collecting has.
final class UsedProofs: Sendable {
    private struct State {
        var seen: [SHA256Digest: Instant] = [:]
        var nextCleaning = Instant(nanoseconds: 0)
    }

    private final class Shard: Sendable {
        let state = Mutex(State())
    }

    private let shards = (0..<16).map { _ in Shard() }
    private let lifetime: Duration

    /// - Parameter lifetime: how long a proof stays good, counted from its first use at the most.
    init(lifetime: Duration = .seconds(121)) {
        self.lifetime = lifetime
    }

    /// Marks a proof as used.
    /// - Returns: false when it was before.
    func use(_ id: SHA256Digest, at now: Instant) -> Bool {
        shards[id.shard % shards.count].state.withLock { state in
            if now >= state.nextCleaning {
                state.nextCleaning = now + .seconds(5)
                state.seen = state.seen.filter { $0.value > now }
            }
            if let until = state.seen[id], until > now { return false }
            state.seen[id] = now + lifetime
            return true
        }
    }
}
