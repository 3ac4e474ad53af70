/// The peers whose forwarding headers count: those in one of these networks, and these users on a Unix socket.
///
/// On the gateway's own machine a user is the narrower choice: on loopback any local user can pose as the proxy.
public struct TrustedProxies: Hashable, Sendable {
    public let networks: [Network]
    /// User IDs, known of a peer on a Unix socket.
    public let uids: [UInt32]
    /// Whether one that asks for 127.0.0.1 or ::1 means its own machine. Under a public address it hardly does: people come there
    /// by the network, and what a proxy has from loopback was passed on by something beside it, for anybody.
    public let canVouchForLocalhost: Bool

    /// - Parameter canVouchForLocalhost: false where people come by a public address.
    public init(networks: [Network] = [], uids: [UInt32] = [], canVouchForLocalhost: Bool = true) {
        self.networks = networks
        self.uids = uids
        self.canVouchForLocalhost = canVouchForLocalhost
    }

    /// Whether no peer's headers count.
    public var isEmpty: Bool { networks.isEmpty && uids.isEmpty }

    public func contains(_ address: IPAddress) -> Bool { networks.contains { $0.contains(address) } }

    public func contains(uid: UInt32) -> Bool { uids.contains(uid) }
}
