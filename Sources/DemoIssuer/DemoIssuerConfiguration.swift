public import SwitchyardReactor
public import SwitchyardTLS

/// What a demo issuer is made from.
public struct DemoIssuerConfiguration: Sendable {
    /// TCP on loopback only. Port 0 lets the kernel choose.
    public var address: ListenAddress
    /// What the listener presents; nil for plain HTTP.
    public var tls: ServerContext?
    /// The issuer's name, which is also the base of its endpoints. When nil it is derived from ``address``, with the port
    /// that ``DemoIssuer/start(on:)`` bound. It may have a path, as tenants of large issuers do.
    public var issuer: String?
    /// Signs everybody in without asking: `/authorize` answers at once. For benchmarks.
    public var autoApprove = false
    /// Clients with a name or a secret. Every other client ID is accepted as a public client.
    public var clients: [DemoClient] = []
    public var signingAlgorithm = SigningAlgorithm.rs256

    public init(address: ListenAddress, tls: ServerContext? = nil) {
        self.address = address
        self.tls = tls
    }
}
