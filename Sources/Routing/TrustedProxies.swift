/// The peers whose forwarding headers count: those in one of these networks, and these users on a Unix socket.
///
/// On the gateway's own machine a user is the narrower choice: on loopback any local user can pose as the proxy.
public struct TrustedProxies: Hashable, Sendable {
    public let networks: [Network]
    /// User IDs, known of a peer on a Unix socket.
    public let uids: [UInt32]
    /// Whether a proxy's client at 127.0.0.1 or ::1 is on this gateway's own machine. Under a public address it hardly
    /// is: people come by the network, and another program beside the proxy may have passed the request on.
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
