/// One address that the gateway listens on, and what it serves there.
public struct ListenerConfiguration: Hashable, Sendable {
    /// What a listener can serve.
    public enum Service: String, CaseIterable, Hashable, Sendable {
        /// Redirect URIs and the pages that a browser sees.
        case callbacks
        /// `/v1/`, for apps.
        case api
        /// `/healthz`, `/readyz`, `/metrics`.
        case admin
    }

    public let address: ListenerAddress
    /// Certificates by which the listener speaks TLS; the first answers an unknown or absent server name. Empty for
    /// plain text.
    public let tls: [TLSFiles]
    /// Never empty.
    public let serve: Set<Service>
}

/// Paths of a certificate chain and its private key, in PEM.
public struct TLSFiles: Hashable, Sendable {
    public let certificate: String
    public let key: String
}
