public import Reactor
internal import Synchronization

/// Counts open connections, in all and by address. Safe from any thread.
public final class ConnectionLimiter: Sendable {
    private struct Counts {
        var total = 0
        var byAddress: [UInt128: Int] = [:]
    }

    private let counts = Mutex(Counts())
    private let total: Int
    private let perAddress: Int
    private let key: @Sendable (Peer) -> UInt128?

    /// - Parameter key: a number that connections of one address have in common; nil for a peer that is not counted by address,
    ///   such as a trusted proxy, behind which everybody looks the same.
    public init(total: Int, perAddress: Int, key: @escaping @Sendable (Peer) -> UInt128?) {
        self.total = total
        self.perAddress = perAddress
        self.key = key
    }

    /// Whether one more connection may be served. Each admission is given back with ``release(_:)``.
    func admit(_ peer: Peer) -> Bool {
        let key = key(peer)
        return counts.withLock { counts in
            guard counts.total < total else { return false }
            if let key {
                guard counts.byAddress[key, default: 0] < perAddress else { return false }
                counts.byAddress[key, default: 0] += 1
            }
            counts.total += 1
            return true
        }
    }

    func release(_ peer: Peer) {
        let key = key(peer)
        counts.withLock { counts in
            counts.total -= 1
            guard let key, let count = counts.byAddress[key] else { return }
            counts.byAddress[key] = count > 1 ? count - 1 : nil
        }
    }

    /// How many connections are open.
    public var openConnections: Int { counts.withLock { $0.total } }
}
