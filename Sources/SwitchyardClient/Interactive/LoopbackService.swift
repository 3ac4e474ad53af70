internal import SwitchyardHTTP
internal import SwitchyardOAuth
internal import SwitchyardPages
internal import SwitchyardPhrases
internal import SwitchyardReactor

/// The host and path of a loopback redirect URI, and the receiver of its callbacks.
struct LoopbackAddress: Sendable {
    /// The host of the redirect URI, compared byte for byte.
    let host: String
    let path: String
    let router: ResponseRouter
    let log: ClientLog
}

/// Answers the browsers that come back to the loopback redirect URIs of one port.
///
/// Only this user and root are answered. The list of processes shows every user the authorization address that the browser
/// was given, with its state. So another user could otherwise sign in as itself and bring that callback here, or an error.
///
/// Why `@unchecked Sendable`: what changes is touched on the network loop only, and that calls it.
final class LoopbackService: Service, @unchecked Sendable {
    /// One for each request that waits.
    private var addresses: [LoopbackAddress] = []
    /// The port that the browsers come to; 0 until it is known.
    var port: UInt16 = 0
    /// Whether the log has a line about another user's request already.
    private var hasWarned = false

    func add(_ address: LoopbackAddress) {
        addresses.append(address)
        hasWarned = false
    }

    /// - Returns: whether it was the last one.
    func remove(_ address: LoopbackAddress) -> Bool {
        if let index = addresses.firstIndex(where: { $0.isSame(as: address) }) { addresses.remove(at: index) }
        return addresses.isEmpty
    }

    func respond(to request: Request) async -> Response {
        let language = Language.preferred(byAcceptLanguage: request.field("accept-language"))
        let words = language.phrases.loopback
        func page(_ status: Status, _ message: Message, _ tone: Tone) -> Response {
            LoopbackPage.response(status, message, tone: tone, in: language)
        }
        // Another host name leads here only by DNS rebinding: an attacker's domain points at this machine.
        let waiting = addresses.filter { $0.matches(request) }
        guard let address = waiting.first else { return page(.notFound, words.notHere, .calm) }
        let owner = LoopbackPeer.owner(of: request.connection.peer, at: port)
        guard LoopbackPeer.isOwnUser(owner) else {
            warn(about: owner, address.log)
            return page(.forbidden, words.notOwnUser, .stop)
        }
        guard request.method == .get else {
            var response = page(.methodNotAllowed, words.notHere, .calm)
            response.add("Allow", "GET")
            return response
        }
        // Only a person's navigation brings a callback (rules: exactly once).
        guard !request.isPrefetch, request.isNavigation else {
            return page(.serviceUnavailable, words.notHere, .calm)
        }
        let query = request.queryBytes.map { "?" + String(decoding: $0, as: UTF8.self) } ?? ""
        let callback = "http://\(address.host)\(address.path)\(query)"
        let delivered = await Self.deliver(callback, to: waiting.map(\.router))
        address.log.info("a callback on loopback: \(delivered.0.description)")
        switch delivered.0.name {
        case .completed:
            let isSignedIn = await delivered.isSignedIn?.value ?? false
            return isSignedIn
                ? page(.ok, words.signedIn, .done)
                : page(.ok, words.failed, .stop)
        case .alreadyConsumed: return page(.ok, words.taken, .calm)
        case .expired, .noPendingRequest: return page(.badRequest, words.tooLate, .stop)
        case .notMine, .stateMismatch, .malformed: return page(.badRequest, words.notStarted, .stop)
        }
    }

    /// Once for each sign-in, so that another user cannot flood the log.
    private func warn(about owner: LoopbackPeer.Owner, _ log: ClientLog) {
        guard !hasWarned else { return }
        hasWarned = true
        let user =
            switch owner {
            case .user(let uid): "the user with the number \(uid)"
            case .unknown: "a user that the kernel does not show to this process"
            }
        log.warning("a request at the loopback redirect URI was refused: it came from \(user)")
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
