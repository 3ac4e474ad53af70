package import SwitchyardCrypto
internal import Synchronization

/// Remembers the used proofs of possession for as long as they are valid: a few of each request, counted in its bytes.
/// Safe from any thread.
package final class UsedProofs: Sendable {
    private struct Mark {
        let proof: ShortDigest
        let until: Timestamp
    }

    private struct State {
        var marks: [RequestID: [Mark]] = [:]
        var nextCleaning = Timestamp.zero
    }

    private final class Shard: Sendable {
        let state = Mutex(State())
    }

    private let shards = (0..<16).map { _ in Shard() }

    package init() {}

    package func use(_ proof: ShortDigest, of request: RequestID, until: Timestamp, at now: Timestamp) -> ProofUse {
        shard(request).state.withLock { state in
            var marks = state.marks[request] ?? []
            if marks.contains(where: { $0.proof == proof && $0.until > now }) { return .repeated }
            if marks.count >= ProofUse.maximum { marks.removeAll { $0.until <= now } }
            guard marks.count < ProofUse.maximum else { return .tooMany }
            marks.append(Mark(proof: proof, until: until))
            state.marks[request] = marks
            return .first
        }
    }

    /// Takes a mark back that could not be kept, or is of no more use.
    /// - Parameter until: as it was marked; nil for any.
    package func takeBack(_ proof: ShortDigest, of request: RequestID, until: Timestamp? = nil) {
        shard(request).state.withLock { state in
            state.marks[request]?.removeAll { $0.proof == proof && (until == nil || $0.until == until) }
            if state.marks[request]?.isEmpty == true { state.marks[request] = nil }
        }
    }

    /// Forgets the proofs of a request that is over and answered for good.
    package func forget(of request: RequestID) {
        shard(request).state.withLock { $0.marks[request] = nil }
    }

    package func forget(at now: Timestamp) {
        for shard in shards {
            shard.state.withLock { state in
                guard !state.marks.isEmpty, now >= state.nextCleaning else { return }
                state.nextCleaning = now + .seconds(5)
                state.marks = state.marks.compactMapValues { marks in
                    let left = marks.filter { $0.until > now }
                    return left.isEmpty ? nil : left
                }
            }
        }
    }

    private func shard(_ request: RequestID) -> Shard { shards[Int(request.key % UInt64(shards.count))] }
}
