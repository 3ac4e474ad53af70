public import SwitchyardCrypto
public import SwitchyardRouting

/// A whole configuration, checked: whoever holds one never checks again. Safe from any thread.
public struct Configuration: Sendable {
    /// Where pending token requests are kept.
    public enum Store: Hashable, Sendable {
        /// In this process; they end with it.
        case memory
    }

    public let publicURL: PublicURL
    /// Whose forwarding headers count.
    public let trustedProxies: TrustedProxies
    /// Where `release: same_network` may pass, beside loopback.
    public let networks: [Network]
    /// Never empty.
    public let listeners: [ListenerConfiguration]
    public let store: Store
    /// Newest first; empty when the configuration names none, which is right for a store that ends with the process.
    public let encryptionKeys: [KeyRing.Key]
    /// In the order of the file; each name once.
    public let issuers: [IssuerConfiguration]
    /// Every app, and the routes to it. Every app's issuer is one of ``issuers``.
    public let routes: RouteTable
    public let limits: Limits
    public let log: LogConfiguration

    public var apps: [AppRegistration] { routes.apps }

    /// Whether issuers may be reached by plain http on loopback: only while the gateway itself is on loopback.
    public var allowsLoopbackHTTP: Bool { publicURL.isLoopback }

    /// Whether a caller of the API may show a certificate that counts for some app.
    public var asksForClientCertificates: Bool {
        apps.contains { $0.beginFrom?.clientCertificates.isEmpty == false }
    }

    public func issuer(of app: AppRegistration) -> IssuerConfiguration? {
        issuers.first { $0.name == app.issuer }
    }
}
