package import SwitchyardCrypto
internal import Synchronization

/// The one-time uses (``OneTimeStore``) in this process's memory. Safe from any thread.
package final class OneTimeTable: Sendable {
    private struct Use {
        let digest: ShortDigest
        let until: Timestamp
    }

    private struct State {
        var uses: [RequestID: [Use]] = [:]
        var nextCleaning = Timestamp.zero
    }

    private final class Shard: Sendable {
        let state = Mutex(State())
    }

    private let shards = (0..<16).map { _ in Shard() }

    package init() {}

    package func use(_ digest: ShortDigest, of id: RequestID, until: Timestamp, at now: Timestamp) -> OneTimeUse {
        shard(id).state.withLock { state in
            var uses = state.uses[id] ?? []
            if uses.contains(where: { $0.digest == digest && $0.until > now }) { return .repeated }
            if uses.count >= OneTimeUse.maximum { uses.removeAll { $0.until <= now } }
            guard uses.count < OneTimeUse.maximum else { return .tooMany }
            uses.append(Use(digest: digest, until: until))
            state.uses[id] = uses
            return .first
        }
    }

    /// Undoes a use.
    /// - Parameter until: the end that ``use(_:of:until:at:)`` got; nil for any.
    package func undoUse(_ digest: ShortDigest, of id: RequestID, until: Timestamp? = nil) {
        shard(id).state.withLock { state in
            state.uses[id]?.removeAll { $0.digest == digest && (until == nil || $0.until == until) }
            if state.uses[id]?.isEmpty == true { state.uses[id] = nil }
        }
    }

    /// Forgets the uses with a request whose app has acknowledged the outcome: no more calls come for it.
    package func forget(of id: RequestID) {
        shard(id).state.withLock { $0.uses[id] = nil }
    }

    package func forget(at now: Timestamp) {
        for shard in shards {
            shard.state.withLock { state in
                guard !state.uses.isEmpty, now >= state.nextCleaning else { return }
                state.nextCleaning = now + .seconds(5)
                state.uses = state.uses.compactMapValues { uses in
                    let left = uses.filter { $0.until > now }
                    return left.isEmpty ? nil : left
                }
            }
        }
    }

    private func shard(_ id: RequestID) -> Shard { shards[Int(id.key % UInt64(shards.count))] }
}
