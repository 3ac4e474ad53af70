public import SwitchyardReactor
internal import Synchronization

/// Wakes those who wait for a change of a request. Safe from any thread.
public final class ChangeHub: Sendable {
    /// A mutex cannot stand in an array by itself.
    private final class Shard: Sendable {
        let signals = Mutex<[RequestID: [Signal]]>([:])
    }

    private let shards = (0..<16).map { _ in Shard() }

    init() {}

    /// `signal` is raised at each change from now on, until ``stop(_:_:)``.
    public func watch(_ id: RequestID, _ signal: Signal) {
        shard(id).signals.withLock { $0[id, default: []].append(signal) }
    }

    /// Ends what ``watch(_:_:)`` began; nothing happens where it did not.
    public func stop(_ id: RequestID, _ signal: Signal) {
        shard(id).signals.withLock { signals in
            signals[id]?.removeAll { $0 === signal }
            if signals[id]?.isEmpty == true { signals[id] = nil }
        }
    }

    /// Raises the signals of those who wait for a request.
    public func notify(_ id: RequestID) {
        for signal in shard(id).signals.withLock({ $0[id] }) ?? [] { signal.raise() }
    }

    /// Raises every signal: for a gateway that is stopping, or that may have missed changes.
    public func notifyAll() {
        for shard in shards {
            for signal in shard.signals.withLock({ Array($0.values.joined()) }) { signal.raise() }
        }
    }

    private func shard(_ id: RequestID) -> Shard {
        shards[Int(id.key % UInt64(shards.count))]
    }
}
