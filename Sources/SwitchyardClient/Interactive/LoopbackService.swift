internal import HTTP
internal import OAuth
internal import Synchronization

/// Answers the browser that comes back to a loopback redirect URI.
final class LoopbackService: Service {
    private let router: ResponseRouter
    /// Of the redirect URI: what anything is compared with, byte for byte.
    private let host: String
    private let path: String
    private let isSuccess: Promise<Bool>

    /// - Parameter isSuccess: fulfilled when the request that waits has ended, so that the page tells the truth.
    init(_ router: ResponseRouter, host: String, path: String, isSuccess: Promise<Bool>) {
        self.router = router
        self.host = host
        self.path = path
        self.isSuccess = isSuccess
    }

    func respond(to request: Request) async -> Response {
        let words = LoopbackWords(acceptLanguage: request.field("accept-language") ?? "")
        // Another name leads here only when somebody points a domain of theirs at this machine (DNS rebinding).
        guard request.authority.map({ String(decoding: $0.host, as: UTF8.self) }) == host, request.pathText == path
        else {
            return LoopbackPage.response(.notFound, words.notHere)
        }
        guard request.method == .get else {
            var response = LoopbackPage.response(.methodNotAllowed, words.notHere)
            response.add("Allow", "GET")
            return response
        }
        // A prefetch is not the person (design rule 6).
        guard !Self.isPrefetch(request) else { return LoopbackPage.response(.serviceUnavailable, words.notHere) }
        let query = request.queryBytes.map { "?" + String(decoding: $0, as: UTF8.self) } ?? ""
        switch await router.accept("http://\(host)\(path)\(query)") {
        case .completed:
            return await isSuccess.value
                ? LoopbackPage.response(.ok, words.signedIn) : LoopbackPage.response(.ok, words.failed)
        case .alreadyConsumed: return LoopbackPage.response(.ok, words.taken)
        case .expired, .noPendingRequest: return LoopbackPage.response(.badRequest, words.tooLate)
        case .notMine, .stateMismatch, .malformed: return LoopbackPage.response(.badRequest, words.notStarted)
        }
    }

    private static func isPrefetch(_ request: Request) -> Bool {
        let purposes = [request.field("sec-purpose"), request.field("purpose"), request.field("x-purpose")]
        return purposes.contains { $0?.lowercased().contains("prefetch") ?? false }
    }
}
