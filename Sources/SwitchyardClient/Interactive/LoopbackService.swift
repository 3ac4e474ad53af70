internal import SwitchyardHTTP
internal import SwitchyardOAuth

/// Where a loopback redirect URI leads, but for the port, and who waits there.
struct LoopbackAddress: Sendable {
    /// Of the redirect URI: what anything is compared with, byte for byte.
    let host: String
    let path: String
    let router: ResponseRouter
    let log: ClientLog
}

/// Answers the browsers that come back to the loopback redirect URIs of one port.
///
/// Why `@unchecked Sendable`: what changes is touched on the network loop only, and that calls it.
final class LoopbackService: Service, @unchecked Sendable {
    /// One for each request that waits.
    private var addresses: [LoopbackAddress] = []

    func add(_ address: LoopbackAddress) {
        addresses.append(address)
    }

    /// - Returns: whether nobody waits any more.
    func remove(_ address: LoopbackAddress) -> Bool {
        if let index = addresses.firstIndex(where: { $0.isSame(as: address) }) { addresses.remove(at: index) }
        return addresses.isEmpty
    }

    func respond(to request: Request) async -> Response {
        let words = LoopbackWords.preferred(byAcceptLanguage: request.field("accept-language"))
        // Another name leads here only when somebody points a domain of theirs at this machine (DNS rebinding).
        let waiting = addresses.filter { $0.matches(request) }
        guard let address = waiting.first else { return LoopbackPage.response(.notFound, words.notHere) }
        guard request.method == .get else {
            var response = LoopbackPage.response(.methodNotAllowed, words.notHere)
            response.add("Allow", "GET")
            return response
        }
        // Only a person's navigation brings a callback (rules: exactly once).
        guard !request.isPrefetch, request.isNavigation else {
            return LoopbackPage.response(.serviceUnavailable, words.notHere)
        }
        let query = request.queryBytes.map { "?" + String(decoding: $0, as: UTF8.self) } ?? ""
        let callback = "http://\(address.host)\(address.path)\(query)"
        let delivered = await Self.deliver(callback, to: waiting.map(\.router))
        address.log.info("a callback on loopback: \(delivered.0.description)")
        switch delivered.0.name {
        case .completed:
            let isSignedIn = await delivered.isSignedIn?.value ?? false
            return LoopbackPage.response(.ok, isSignedIn ? words.signedIn : words.failed)
        case .alreadyConsumed: return LoopbackPage.response(.ok, words.taken)
        case .expired, .noPendingRequest: return LoopbackPage.response(.badRequest, words.tooLate)
        case .notMine, .stateMismatch, .malformed: return LoopbackPage.response(.badRequest, words.notStarted)
        }
    }

    /// Offers a callback to the applications of this process in turn, until one knows its state.
    private static func deliver(
        _ callback: String, to routers: [ResponseRouter]
    ) async -> (ResponseOutcome, isSignedIn: Promise<Bool>?) {
        var asked: [ResponseRouter] = []
        var answer: (ResponseOutcome, isSignedIn: Promise<Bool>?) = (.notMine, nil)
        for router in routers where !asked.contains(where: { $0 === router }) {
            asked.append(router)
            answer = await router.deliver(callback)
            switch answer.0.name {
            case .notMine, .noPendingRequest, .stateMismatch: continue
            case .completed, .alreadyConsumed, .expired, .malformed: return answer
            }
        }
        return answer
    }
}

extension LoopbackAddress {
    fileprivate func matches(_ request: Request) -> Bool {
        request.authority.map { String(decoding: $0.host, as: UTF8.self) } == host && request.pathText == path
    }

    fileprivate func isSame(as other: LoopbackAddress) -> Bool {
        router === other.router && host == other.host && path == other.path
    }
}
