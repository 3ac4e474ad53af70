public import SwitchyardReactor
internal import Synchronization

/// Counts open connections, in all and by address. Safe from any thread.
public final class ConnectionLimiter: Sendable {
    private struct Counts {
        var total = 0
        var byAddress: [UInt128: Int] = [:]
    }

    /// What a reload may change.
    public struct Policy: Sendable {
        /// Of all together, but for a listener's reserve.
        public let total: Int
        public let perAddress: Int
        /// Whether a peer stands for many, such as a trusted proxy, and is counted in the total only.
        let isShared: @Sendable (Peer) -> Bool

        public init(total: Int, perAddress: Int, isShared: @escaping @Sendable (Peer) -> Bool = { _ in false }) {
            self.total = total
            self.perAddress = perAddress
            self.isShared = isShared
        }
    }

    private let counts = Mutex(Counts())
    private let policy: Mutex<Policy>
    private let key: @Sendable (Peer) -> UInt128?

    /// - Parameter key: a number that connections of one address have in common; nil for a peer that has no address.
    public init(_ policy: Policy, key: @escaping @Sendable (Peer) -> UInt128?) {
        self.policy = Mutex(policy)
        self.key = key
    }

    /// Holds for the connections that come from now on.
    public func adopt(_ policy: Policy) {
        self.policy.withLock { $0 = policy }
    }

    /// Which limit a connection is over.
    public enum Obstacle: Int, Error, Sendable, CaseIterable {
        case total
        case perAddress
    }

    /// A connection that counts.
    struct Admission: Sendable {
        fileprivate let key: UInt128?
    }

    /// Counts one more connection, if it may be served. Each admission is given back with ``release(_:)``.
    /// - Parameter reserve: how many more than ``Policy/total`` there may be for it.
    func admit(_ peer: Peer, reserve: Int = 0) -> Result<Admission, Obstacle> {
        let policy = policy.withLock(\.self)
        let key = policy.isShared(peer) ? nil : key(peer)
        return counts.withLock { counts in
            guard counts.total < policy.total + reserve else { return .failure(.total) }
            if let key {
                guard counts.byAddress[key, default: 0] < policy.perAddress else { return .failure(.perAddress) }
                counts.byAddress[key, default: 0] += 1
            }
            counts.total += 1
            return .success(Admission(key: key))
        }
    }

    func release(_ admission: Admission) {
        counts.withLock { counts in
            counts.total -= 1
            guard let key = admission.key, let count = counts.byAddress[key] else { return }
            counts.byAddress[key] = count > 1 ? count - 1 : nil
        }
    }

    /// How many connections are open.
    package var openConnections: Int { counts.withLock { $0.total } }
}
