internal import SwitchyardDemoIssuer
internal import SwitchyardHTTP
internal import SwitchyardJSON
internal import SwitchyardReactor
internal import Synchronization

/// Counts of the issuer's requests, for tests. Safe from any thread.
final class Statistics: Sendable {
    enum Event: String, CaseIterable {
        case discoveryRequests = "discovery_requests"
        case jwksRequests = "jwks_requests"
        case authorizationRequests = "authorization_requests"
        case codesIssued = "codes_issued"
        case tokenRequests = "token_requests"
        case tokenResponses = "token_responses"
        case userInfoRequests = "userinfo_requests"
        case apiRequests = "api_requests"
        /// A client followed the redirect of the token endpoint, which it must not do.
        case redirectsFollowed = "redirects_followed"
    }

    private let counts = Mutex<[Event: Int64]>([:])
    /// How often each code was sent to the token endpoint, whatever became of it; longer than a code lives.
    private let redemptions = Mutex(ExpiringTable<Int64>(lifetime: .seconds(3600), capacity: 100_000))

    /// By client ID; of the first ten thousand clients.
    private let tokenRequests = Mutex<[String: [RequestKind: Int64]]>([:])
    private static let clientCapacity = 10_000

    func count(_ event: Event) {
        counts.withLock { $0[event, default: 0] += 1 }
    }

    func count(redemptionOf code: String) {
        let now = Instant.now()
        redemptions.withLock { table in
            if table.take(code, at: now, leaving: { $0 + 1 }) == nil { table.insert(1, for: code, at: now) }
        }
    }

    func count(_ grantType: RequestKind, of clientID: String) {
        tokenRequests.withLock { counts in
            guard counts[clientID] != nil || counts.count < Self.clientCapacity else { return }
            counts[clientID, default: [:]][grantType, default: 0] += 1
        }
    }

    /// The counts for the code in the parameter `code`, issued here or not; or for the token requests of the client in
    /// `client`, by grant type; without either, for all requests.
    func json(for request: Request) -> JSONValue {
        let parameters = try? RequestParameters(Array(request.queryBytes ?? []))
        if let clientID = parameters?["client"] { return json(ofClient: clientID) }
        guard let code = parameters?["code"] else { return json }
        let count = redemptions.withLock { $0.value(for: code, at: Instant.now()) }
        return ["token_requests": .integer(count ?? 0)]
    }

    private var json: JSONValue {
        let counts = counts.withLock { $0 }
        var object = JSONObject()
        for event in Event.allCases { object[event.rawValue] = .integer(counts[event, default: 0]) }
        return .object(object)
    }

    private func json(ofClient clientID: String) -> JSONValue {
        let counts = tokenRequests.withLock { $0[clientID] } ?? [:]
        var object = JSONObject()
        for grantType in RequestKind.allCases { object[grantType.rawValue] = .integer(counts[grantType, default: 0]) }
        return .object(object)
    }
}
