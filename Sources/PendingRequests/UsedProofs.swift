package import SwitchyardCrypto
internal import Synchronization

/// Remembers which proofs of possession were used, for as long as they would be good. Safe from any thread.
///
/// Only who holds a result token and its key gets here, and at the rate that collecting has.
package final class UsedProofs: Sendable {
    private struct State {
        var seen: [SHA256Digest: Timestamp] = [:]
        var nextCleaning = Timestamp.zero
    }

    private final class Shard: Sendable {
        let state = Mutex(State())
    }

    private let shards = (0..<16).map { _ in Shard() }

    package init() {}

    /// Marks a proof as used.
    /// - Returns: false when it was before.
    package func use(_ proof: SHA256Digest, until: Timestamp, at now: Timestamp) -> Bool {
        shard(proof).state.withLock { state in
            if let until = state.seen[proof], until > now { return false }
            state.seen[proof] = until
            return true
        }
    }

    /// Takes a mark back that could not be kept.
    package func takeBack(_ proof: SHA256Digest) {
        shard(proof).state.withLock { $0.seen[proof] = nil }
    }

    package func forget(at now: Timestamp) {
        for shard in shards {
            shard.state.withLock { state in
                guard !state.seen.isEmpty, now >= state.nextCleaning else { return }
                state.nextCleaning = now + .seconds(5)
                state.seen = state.seen.filter { $0.value > now }
            }
        }
    }

    private func shard(_ proof: SHA256Digest) -> Shard { shards[Int(proof.prefix % UInt64(shards.count))] }
}
