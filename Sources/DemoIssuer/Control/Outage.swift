internal import Synchronization

/// The endpoints that are out of reach for now. Safe from any thread.
final class Outage: Sendable {
    /// What can be made unreachable, by its name in the test interface.
    enum Part: String, CaseIterable, Sendable {
        case discovery, jwks, authorization, token, userinfo, api, native

        init?(_ endpoint: Endpoint) {
            switch endpoint {
            case .discovery: self = .discovery
            case .jwks: self = .jwks
            case .authorization: self = .authorization
            case .token: self = .token
            case .userInfo: self = .userinfo
            case .api: self = .api
            case .initiate, .challenge, .introspect: self = .native
            case .consent, .statistics, .control, .elsewhere: return nil
            }
        }
    }

    private let parts = Mutex<Set<Part>>([])

    func contains(_ endpoint: Endpoint) -> Bool {
        guard let part = Part(endpoint) else { return false }
        return parts.withLock { $0.contains(part) }
    }

    /// From now on these, and no others.
    func set(_ parts: Set<Part>) {
        self.parts.withLock { $0 = parts }
    }
}
