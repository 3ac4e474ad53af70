package import SwitchyardCrypto
internal import Synchronization

/// Remembers the used proofs of possession for as long as they are valid: a few of each request, counted in its bytes.
/// Safe from any thread.
package final class UsedProofs: Sendable {
    private struct UsedProof {
        let proof: ShortDigest
        let until: Timestamp
    }

    private struct State {
        var proofs: [RequestID: [UsedProof]] = [:]
        var nextCleaning = Timestamp.zero
    }

    private final class Shard: Sendable {
        let state = Mutex(State())
    }

    private let shards = (0..<16).map { _ in Shard() }

    package init() {}

    package func use(_ proof: ShortDigest, of request: RequestID, until: Timestamp, at now: Timestamp) -> ProofUse {
        shard(request).state.withLock { state in
            var proofs = state.proofs[request] ?? []
            if proofs.contains(where: { $0.proof == proof && $0.until > now }) { return .repeated }
            if proofs.count >= ProofUse.maximum { proofs.removeAll { $0.until <= now } }
            guard proofs.count < ProofUse.maximum else { return .tooMany }
            proofs.append(UsedProof(proof: proof, until: until))
            state.proofs[request] = proofs
            return .first
        }
    }

    /// Forgets that a proof was used: the store could not write it, or the proof has ended.
    /// - Parameter until: as ``use(_:of:until:at:)`` got it; nil for any.
    package func undoUse(_ proof: ShortDigest, of request: RequestID, until: Timestamp? = nil) {
        shard(request).state.withLock { state in
            state.proofs[request]?.removeAll { $0.proof == proof && (until == nil || $0.until == until) }
            if state.proofs[request]?.isEmpty == true { state.proofs[request] = nil }
        }
    }

    /// Forgets the proofs of a request that is over and answered for good.
    package func forget(of request: RequestID) {
        shard(request).state.withLock { $0.proofs[request] = nil }
    }

    package func forget(at now: Timestamp) {
        for shard in shards {
            shard.state.withLock { state in
                guard !state.proofs.isEmpty, now >= state.nextCleaning else { return }
                state.nextCleaning = now + .seconds(5)
                state.proofs = state.proofs.compactMapValues { proofs in
                    let left = proofs.filter { $0.until > now }
                    return left.isEmpty ? nil : left
                }
            }
        }
    }

    private func shard(_ request: RequestID) -> Shard { shards[Int(request.key % UInt64(shards.count))] }
}
