internal import SwitchyardConfiguration

/// A limit that somebody can reach.
enum GatewayLimit: Sendable, CaseIterable {
    case requests, requestsPerApp, requestsPerAddress
    case keptBytes, keptBytesPerAddress
    case waitingPerAddress
    case connections, connectionsPerAddress
    case beginRate
    /// Of pages; callbacks are told as such.
    case callbackRate
    case collectRate
    case headerBytes, bodyBytes

    /// Below `limits`.
    private var key: Limits.Key {
        switch self {
        case .requests: .requests
        case .requestsPerApp: .requestsPerApp
        case .requestsPerAddress: .requestsPerAddress
        case .keptBytes: .keptBytes
        case .keptBytesPerAddress: .keptBytesPerAddress
        case .waitingPerAddress: .waitingPerAddress
        case .connections: .connections
        case .connectionsPerAddress: .connectionsPerAddress
        case .beginRate: .beginRate
        case .callbackRate: .callbackRate
        case .collectRate: .collectRate
        case .headerBytes: .headerBytes
        case .bodyBytes: .bodyBytes
        }
    }

    var name: String { key.rawValue }
}
