public import SwitchyardHTTPClient
internal import SwitchyardJOSE
public import SwitchyardOAuth

/// An issuer and what is known of it: its metadata and keys, shared by all event loops.
public final class Issuer: Sendable {
    public let settings: IssuerSettings
    let metadata: CachedDocument<IssuerMetadata>
    let keys: CachedDocument<KeySet>
    /// The nonces that its servers want in proofs of possession.
    let nonces = ServerNonces()

    public init(_ settings: IssuerSettings) {
        self.settings = settings
        metadata = CachedDocument(issuer: settings.name)
        keys = CachedDocument(issuer: settings.name)
    }
}

/// The issuers of a configuration by name. Safe from any thread.
public final class IssuerDirectory: Sendable {
    private let issuers: [String: Issuer]

    /// If two issuers have the same name, the first counts.
    public init(_ issuers: [Issuer]) {
        self.issuers = Dictionary(issuers.map { ($0.settings.name, $0) }) { first, _ in first }
    }

    public subscript(name: String) -> Issuer? {
        issuers[name]
    }
}

/// An issuer as the configuration describes it.
public struct IssuerSettings: Hashable, Sendable {
    /// The source of the issuer's endpoints.
    public enum Source: Hashable, Sendable {
        /// From the metadata that is published for this issuer identifier.
        case discovery(EndpointURL)
        /// From the configuration itself; only the keys are fetched.
        case configured(IssuerMetadata)
    }

    /// The name that apps use for it; unique within the configuration.
    public var name: String
    public var source: Source
    /// Which issuer the metadata may speak for.
    public var rule: IssuerRule
    /// Its deviations, parameters and account endpoint.
    public var profile: IssuerProfile
    /// Path of a PEM file with more trust anchors, beside the system's.
    public var trustAnchor: String?
    /// How requests to it leave this machine.
    public var route: OutgoingRoute
    /// Whether the issuer and its endpoints may be http on loopback.
    public var allowsLoopbackHTTP: Bool
    /// For a whole answer (`limits: issuer_timeout`).
    public var timeout: Duration
    /// The most that an answer may hold (`limits: issuer_bytes`).
    public var maximumBytes: Int
    /// By how much the issuer's clock may differ, in seconds.
    public var clockSkew: Int64
    /// The rules for an issuer whose addresses others gave; nil for a configured one.
    public var given: GivenAddressRules?

    public init(
        name: String, source: Source, rule: IssuerRule = .exactly, profile: IssuerProfile = .strict,
        trustAnchor: String? = nil, route: OutgoingRoute = .direct, allowsLoopbackHTTP: Bool = false,
        timeout: Duration = .seconds(10), maximumBytes: Int = 1 << 20, clockSkew: Int64 = 60
    ) {
        self.name = name
        self.source = source
        self.rule = rule
        self.profile = profile
        self.trustAnchor = trustAnchor
        self.route = route
        self.allowsLoopbackHTTP = allowsLoopbackHTTP
        self.timeout = timeout
        self.maximumBytes = maximumBytes
        self.clockSkew = clockSkew
    }
}

extension IssuerSettings {
    /// The proxy on the way to the issuer, by the address that the configuration names.
    var proxy: OutgoingProxy? {
        switch source {
        case .discovery(let url): route.proxy(for: url.text)
        case .configured(let metadata): route.proxy(for: metadata.tokenEndpoint.text)
        }
    }
}
