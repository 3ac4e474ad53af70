internal import SwitchyardConfiguration

/// A limit that callers can reach.
enum GatewayLimit: Sendable, CaseIterable {
    case requests, requestsPerApp, requestsPerAddress, requestsPerNetwork
    case keptBytes, keptBytesPerAddress, keptBytesPerNetwork
    case waitingPerAddress
    case connections, connectionsPerAddress, connectionsPerNetwork
    case unfinishedBytes
    case beginRate
    /// The rate of pages; callbacks are reported as callbacks.
    case callbackRate
    case collectRate
    case requestLineBytes, headerBytes, bodyBytes

    /// Below `limits`.
    private var key: Limits.Key {
        switch self {
        case .requests: .requests
        case .requestsPerApp: .requestsPerApp
        case .requestsPerAddress: .requestsPerAddress
        case .requestsPerNetwork: .requestsPerNetwork
        case .keptBytes: .keptBytes
        case .keptBytesPerAddress: .keptBytesPerAddress
        case .keptBytesPerNetwork: .keptBytesPerNetwork
        case .waitingPerAddress: .waitingPerAddress
        case .connections: .connections
        case .connectionsPerAddress: .connectionsPerAddress
        case .connectionsPerNetwork: .connectionsPerNetwork
        case .unfinishedBytes: .unfinishedBytes
        case .beginRate: .beginRate
        case .callbackRate: .callbackRate
        case .collectRate: .collectRate
        case .requestLineBytes: .requestLineBytes
        case .headerBytes: .headerBytes
        case .bodyBytes: .bodyBytes
        }
    }

    var name: String { key.rawValue }
}
