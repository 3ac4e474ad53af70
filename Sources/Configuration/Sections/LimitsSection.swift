/// The `limits:` mapping.
enum LimitsSection {
    enum Key: String, ConfigurationKey {
        case requestLifetime = "request_lifetime"
        case resultLifetime = "result_lifetime"
        case releaseLifetime = "release_lifetime"
        case requests
        case requestsPerApp = "requests_per_app"
        case requestsPerAddress = "requests_per_address"
        case waitingPerAddress = "waiting_per_address"
        case connections
        case connectionsPerAddress = "connections_per_address"
        case beginRate = "begin_rate"
        case callbackRate = "callback_rate"
        case collectRate = "collect_rate"
        case headerBytes = "header_bytes"
        case bodyBytes = "body_bytes"
        case keptBytes = "kept_bytes"
        case keptBytesPerAddress = "kept_bytes_per_address"
        case issuerTimeout = "issuer_timeout"
        case issuerBytes = "issuer_bytes"
        case upstreamTimeout = "upstream_timeout"

        var isBuilt: Bool { self != .upstreamTimeout }
    }

    static func decode(_ node: YAMLNode, in context: DecodingContext) -> Limits {
        var limits = Limits()
        guard let reader = MappingReader<Key>(node, in: context) else { return limits }
        for key in Key.allCases {
            guard let node = reader[key] else { continue }
            decode(key, node, in: context, into: &limits)
        }
        return limits
    }

    private static func decode(_ key: Key, _ node: YAMLNode, in context: DecodingContext, into limits: inout Limits) {
        switch key {
        case .requestLifetime: context.duration(node, .seconds(1)...(.seconds(86_400)), into: &limits.requestLifetime)
        case .resultLifetime: context.duration(node, .seconds(1)...(.seconds(3600)), into: &limits.resultLifetime)
        case .releaseLifetime: context.duration(node, .seconds(1)...(.seconds(86_400)), into: &limits.releaseLifetime)
        case .requests: context.count(node, counts, into: &limits.requests)
        case .requestsPerApp: context.count(node, counts, into: &limits.requestsPerApp)
        case .requestsPerAddress: context.count(node, counts, into: &limits.requestsPerAddress)
        case .waitingPerAddress: context.count(node, counts, into: &limits.waitingPerAddress)
        case .connections: context.count(node, counts, into: &limits.connections)
        case .connectionsPerAddress: context.count(node, counts, into: &limits.connectionsPerAddress)
        case .beginRate: context.rate(node, into: &limits.beginRate)
        case .callbackRate: context.rate(node, into: &limits.callbackRate)
        case .collectRate: context.rate(node, into: &limits.collectRate)
        case .headerBytes: context.size(node, 1 << 10...1 << 20, into: &limits.headerBytes)
        case .bodyBytes: context.size(node, 1 << 10...16 << 20, into: &limits.bodyBytes)
        case .keptBytes: context.size(node, 64 << 10...1 << 40, into: &limits.keptBytes)
        case .keptBytesPerAddress: context.size(node, 16 << 10...1 << 40, into: &limits.keptBytesPerAddress)
        case .issuerTimeout: context.duration(node, .milliseconds(100)...(.seconds(120)), into: &limits.issuerTimeout)
        case .issuerBytes: context.size(node, 16 << 10...64 << 20, into: &limits.issuerBytes)
        case .upstreamTimeout: break
        }
    }

    private static let counts = 1...10_000_000
}
