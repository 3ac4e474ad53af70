public import SwitchyardReactor
internal import Synchronization

/// Counts open connections: in all, by address, by network and by program. Safe from any thread.
public final class ConnectionLimiter: Sendable {
    private struct Counts {
        var total = 0
        var byAddress: [UInt128: Int] = [:]
        var byNetwork: [UInt128: Int] = [:]
        var byProgram: [UInt128: Int] = [:]
    }

    /// The part that a reload may change.
    public struct Policy: Sendable {
        /// The limit of all connections together, without a listener's reserve.
        public let total: Int
        public let perAddress: Int
        public let perNetwork: Int
        /// The limit of one process of this machine on Unix sockets; nil where processes are not counted.
        public let perProgram: Int?
        /// The memory of all requests that are not whole.
        public let unfinishedBytes: Int
        /// Whether a peer stands for many clients, such as a trusted proxy, and counts in the total only.
        let isShared: @Sendable (Peer) -> Bool

        public init(
            total: Int, perAddress: Int, perNetwork: Int = .max, perProgram: Int? = nil,
            unfinishedBytes: Int = 128 << 20,
            isShared: @escaping @Sendable (Peer) -> Bool = { _ in false }
        ) {
            self.total = total
            self.perAddress = perAddress
            self.perNetwork = perNetwork
            self.perProgram = perProgram
            self.unfinishedBytes = unfinishedBytes
            self.isShared = isShared
        }
    }

    /// The numbers that connections of one caller, and of one network, have in common.
    public struct Keys: Sendable {
        public let address: UInt128
        /// nil for a peer that has no network, such as a user of this machine.
        public let network: UInt128?

        public init(address: UInt128, network: UInt128?) {
            self.address = address
            self.network = network
        }
    }

    private let counts = Mutex(Counts())
    private let policy: Mutex<Policy>
    private let keys: @Sendable (Peer) -> Keys?
    /// The memory of requests that are not whole.
    let unfinished: UnfinishedBytes

    /// - Parameter keys: nil for a peer that has no address.
    public init(_ policy: Policy, keys: @escaping @Sendable (Peer) -> Keys?) {
        self.policy = Mutex(policy)
        self.keys = keys
        unfinished = UnfinishedBytes(maximum: policy.unfinishedBytes)
    }

    /// Holds for the connections that come from now on.
    public func adopt(_ policy: Policy) {
        self.policy.withLock { $0 = policy }
        unfinished.adopt(maximum: policy.unfinishedBytes)
    }

    /// Which limit a connection is over.
    public enum Refusal: Int, Error, Sendable, CaseIterable {
        case total
        /// By address, or by program.
        case perAddress
        case perNetwork
    }

    /// A connection that counts.
    struct Admission: Sendable {
        fileprivate let keys: Keys?
        fileprivate let program: UInt128?

        /// The network that its unfinished requests count for.
        var network: UInt128? { keys?.network }
    }

    /// Whether ``admit(_:program:reserve:)`` needs the peer's process.
    var countsPrograms: Bool { policy.withLock { $0.perProgram != nil } }

    /// Counts one more connection, if it may be served. Each admission is given back with ``release(_:)``.
    /// - Parameters:
    ///   - program: the number of the peer's process; 0 for one that the kernel hides, nil for a peer without one.
    ///   - reserve: how many more than ``Policy/total`` there may be for it.
    func admit(_ peer: Peer, program: Int32? = nil, reserve: Int = 0) -> Result<Admission, Refusal> {
        let policy = policy.withLock(\.self)
        let program = policy.perProgram == nil ? nil : program.map { UInt128(UInt32(bitPattern: $0)) }
        let keys = policy.isShared(peer) ? nil : keys(peer)
        return counts.withLock { counts in
            guard counts.total < policy.total + reserve else { return .failure(.total) }
            if let program, let most = policy.perProgram {
                guard counts.byProgram[program, default: 0] < most else { return .failure(.perAddress) }
            }
            if let keys {
                guard counts.byAddress[keys.address, default: 0] < policy.perAddress else {
                    return .failure(.perAddress)
                }
                if let network = keys.network {
                    guard counts.byNetwork[network, default: 0] < policy.perNetwork else {
                        return .failure(.perNetwork)
                    }
                    counts.byNetwork[network, default: 0] += 1
                }
                counts.byAddress[keys.address, default: 0] += 1
            }
            if let program { counts.byProgram[program, default: 0] += 1 }
            counts.total += 1
            return .success(Admission(keys: keys, program: program))
        }
    }

    func release(_ admission: Admission) {
        counts.withLock { counts in
            counts.total -= 1
            if let program = admission.program { Self.giveBack(program, in: &counts.byProgram) }
            guard let keys = admission.keys else { return }
            Self.giveBack(keys.address, in: &counts.byAddress)
            if let network = keys.network { Self.giveBack(network, in: &counts.byNetwork) }
        }
    }

    private static func giveBack(_ key: UInt128, in counts: inout [UInt128: Int]) {
        guard let count = counts[key] else { return }
        counts[key] = count > 1 ? count - 1 : nil
    }

    /// How many connections are open.
    package var openConnections: Int { counts.withLock { $0.total } }

    /// The memory of requests that are not whole, in bytes.
    package var unfinishedBytes: Int { unfinished.total }
}
