import Synchronization

/// The documents and answers of the test issuer.
final class IssuerScript: Sendable {
    struct Parts: Sendable {
        var metadata: Reply = .json("{}")
        var keys: Reply = .json("{}")
        /// Taken one for each token request; the last one stays.
        var tokens: [Reply] = []
        /// By path; these go before the ones above.
        var others: [String: Reply] = [:]
    }

    private let parts = Mutex(Parts())

    func alter(_ change: (inout Parts) -> Void) {
        parts.withLock { change(&$0) }
    }

    func reply(to request: ReceivedRequest) -> Reply {
        parts.withLock { parts in
            if let other = parts.others[request.path] { return other }
            switch request.path {
            case Fixture.metadataPath: return parts.metadata
            case "/keys": return parts.keys
            case "/token" where parts.tokens.count > 1: return parts.tokens.removeFirst()
            case "/token": return parts.tokens.first ?? .answer(status: 404, body: "")
            default: return .answer(status: 404, body: "")
            }
        }
    }
}
