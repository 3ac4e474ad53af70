/// Who may relay a callback of an app: a peer that any one of the lists names. It narrows what the release policy
/// allows, and widens nothing.
public struct RelayFrom: Hashable, Sendable {
    /// User IDs, known of a peer on a Unix socket.
    public let uids: [UInt32]
    public let networks: [Network]

    public init(uids: [UInt32] = [], networks: [Network] = []) {
        self.uids = uids
        self.networks = networks
    }

    public func permits(uid: UInt32) -> Bool { uids.contains(uid) }

    public func permits(_ address: IPAddress) -> Bool { networks.contains { $0.contains(address) } }
}
