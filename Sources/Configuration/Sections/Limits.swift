public import SwitchyardHTTP

/// The limits of the gateway's resources. Addresses count as `IPAddress.limitKey`: IPv6 by /64. No address is exempt.
public struct Limits: Hashable, Sendable {
    /// How long a request waits for its callback.
    public var requestLifetime: Duration = .seconds(600)
    /// How long a result can be read again after it was read first.
    public var resultLifetime: Duration = .seconds(60)
    /// How long a held code waits for its release.
    public var releaseLifetime: Duration = .seconds(300)
    /// How many wrong codes end the request. Not configured: more of them would ask for a longer code.
    public let releaseAttempts = 3

    /// Pending token requests altogether, per app, and per address that began them.
    public var requests = 100_000
    public var requestsPerApp = 10_000
    public var requestsPerAddress = 500
    /// Pending token requests per network (`IPAddress.network`) that began them.
    public var requestsPerNetwork = 10_000 / 3
    /// Apps of one address that wait for a result at the same time.
    public var waitingPerAddress = 500

    /// Open connections altogether, and per address.
    public var connections = 10_000
    public var connectionsPerAddress = 1000
    /// Open connections per network.
    public var connectionsPerNetwork = 10_000 / 3
    /// The memory of all unfinished requests, in bytes. One network may have a third of it.
    public var unfinishedBytes = 128 << 20

    /// Requests begun, callbacks, and collecting calls: each a second and address.
    public var beginRate: Double = 200
    public var callbackRate: Double = 500
    public var collectRate: Double = 500

    /// `request_line_bytes`, `header_bytes` and `body_bytes` are three of these; the others are not configured.
    public var http = HTTPLimits()

    /// Bytes of requests, held responses, and uncollected results and failures, until they expire: in total, and for
    /// each address that began them.
    public var keptBytes = 512 << 20
    public var keptBytesPerAddress = 32 << 20
    /// The same, for each network that began them.
    public var keptBytesPerNetwork = (512 << 20) / 3

    /// How long an issuer may take for a whole answer, and how many bytes its content may have.
    public var issuerTimeout: Duration = .seconds(10)
    public var issuerBytes = 1 << 20

    public init() {}

    /// The name of each below `limits`.
    public enum Key: String, Sendable, CaseIterable {
        case requestLifetime = "request_lifetime"
        case resultLifetime = "result_lifetime"
        case releaseLifetime = "release_lifetime"
        case requests
        case requestsPerApp = "requests_per_app"
        case requestsPerAddress = "requests_per_address"
        case requestsPerNetwork = "requests_per_network"
        case waitingPerAddress = "waiting_per_address"
        case connections
        case connectionsPerAddress = "connections_per_address"
        case connectionsPerNetwork = "connections_per_network"
        case unfinishedBytes = "unfinished_bytes"
        case beginRate = "begin_rate"
        case callbackRate = "callback_rate"
        case collectRate = "collect_rate"
        case requestLineBytes = "request_line_bytes"
        case headerBytes = "header_bytes"
        case bodyBytes = "body_bytes"
        case keptBytes = "kept_bytes"
        case keptBytesPerAddress = "kept_bytes_per_address"
        case keptBytesPerNetwork = "kept_bytes_per_network"
        case issuerTimeout = "issuer_timeout"
        case issuerBytes = "issuer_bytes"
    }
}

extension Limits.Key: ConfigurationKey {
    static let later = ["upstream_timeout"]
}

/// The `limits:` mapping.
enum LimitsSection {
    static func decode(_ node: YAMLNode, in context: DecodingContext) -> Limits {
        var limits = Limits()
        guard let reader = MappingReader<Limits.Key>(node, in: context) else { return limits }
        for key in Limits.Key.allCases {
            guard let node = reader[key] else { continue }
            decode(key, node, in: context, into: &limits)
        }
        if reader[.requestsPerNetwork] == nil {
            limits.requestsPerNetwork = third(
                of: min(limits.requests, limits.requestsPerApp), atLeast: limits.requestsPerAddress)
        }
        if reader[.connectionsPerNetwork] == nil {
            limits.connectionsPerNetwork = third(of: limits.connections, atLeast: limits.connectionsPerAddress)
        }
        if reader[.keptBytesPerNetwork] == nil {
            limits.keptBytesPerNetwork = third(of: limits.keptBytes, atLeast: limits.keptBytesPerAddress)
        }
        return limits
    }

    /// The default of a cap by network: one network leaves room for others, in each app too. It is never below the cap by
    /// address, which would have no effect otherwise.
    private static func third(of whole: Int, atLeast capOfAddress: Int) -> Int { max(whole / 3, capOfAddress) }

    private static func decode(
        _ key: Limits.Key, _ node: YAMLNode, in context: DecodingContext, into limits: inout Limits
    ) {
        switch key {
        case .requestLifetime: context.duration(node, .seconds(1)...(.seconds(86_400)), into: &limits.requestLifetime)
        case .resultLifetime: context.duration(node, .seconds(1)...(.seconds(3600)), into: &limits.resultLifetime)
        case .releaseLifetime: context.duration(node, .seconds(1)...(.seconds(86_400)), into: &limits.releaseLifetime)
        case .requests: context.count(node, counts, into: &limits.requests)
        case .requestsPerApp: context.count(node, counts, into: &limits.requestsPerApp)
        case .requestsPerAddress: context.count(node, counts, into: &limits.requestsPerAddress)
        case .requestsPerNetwork: context.count(node, counts, into: &limits.requestsPerNetwork)
        case .waitingPerAddress: context.count(node, counts, into: &limits.waitingPerAddress)
        case .connections: context.count(node, counts, into: &limits.connections)
        case .connectionsPerAddress: context.count(node, counts, into: &limits.connectionsPerAddress)
        case .connectionsPerNetwork: context.count(node, counts, into: &limits.connectionsPerNetwork)
        case .unfinishedBytes: context.size(node, 64 << 10...1 << 40, into: &limits.unfinishedBytes)
        case .beginRate: context.rate(node, into: &limits.beginRate)
        case .callbackRate: context.rate(node, into: &limits.callbackRate)
        case .collectRate: context.rate(node, into: &limits.collectRate)
        case .requestLineBytes: context.size(node, 1 << 10...1 << 20, into: &limits.http.requestLineBytes)
        case .headerBytes: context.size(node, 1 << 10...1 << 20, into: &limits.http.headerBytes)
        case .bodyBytes: context.size(node, 1 << 10...16 << 20, into: &limits.http.bodyBytes)
        case .keptBytes: context.size(node, 64 << 10...1 << 40, into: &limits.keptBytes)
        case .keptBytesPerAddress: context.size(node, 16 << 10...1 << 40, into: &limits.keptBytesPerAddress)
        case .keptBytesPerNetwork: context.size(node, 16 << 10...1 << 40, into: &limits.keptBytesPerNetwork)
        case .issuerTimeout: context.duration(node, .milliseconds(100)...(.seconds(120)), into: &limits.issuerTimeout)
        case .issuerBytes: context.size(node, 16 << 10...64 << 20, into: &limits.issuerBytes)
        }
    }

    private static let counts = 1...10_000_000
}
