internal import JSON
internal import Synchronization

/// What the issuer was asked, in numbers, for tests that count. Safe from any thread.
final class Statistics: Sendable {
    enum Event: String, CaseIterable {
        case discoveryRequests = "discovery_requests"
        case jwksRequests = "jwks_requests"
        case authorizationRequests = "authorization_requests"
        case codesIssued = "codes_issued"
        case tokenRequests = "token_requests"
        case tokenResponses = "token_responses"
        case userInfoRequests = "userinfo_requests"
        /// A client followed the redirect of the token endpoint, which it must not do.
        case redirectsFollowed = "redirects_followed"
    }

    private let counts = Mutex<[Event: Int64]>([:])

    func count(_ event: Event) {
        counts.withLock { $0[event, default: 0] += 1 }
    }

    var json: JSONValue {
        let counts = counts.withLock { $0 }
        var object = JSONObject()
        for event in Event.allCases { object[event.rawValue] = .integer(counts[event, default: 0]) }
        return .object(object)
    }
}
